"""From what came back to an AgentReply: the same rules for every adapter."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from jw_eval_store.agents.host.printed import cut_to_end
from jw_eval_store.agents.interface import AgentCall, AgentReply
from jw_eval_store.agents.normalise import BadOutputError, normalise
from jw_eval_store.agents.outage import outage
from jw_eval_store.domain.evaluations import ReasonCode
from jw_eval_store.domain.recordings import Exchange, Recording
from jw_eval_store.domain.settings import AgentSettings
from jw_eval_store.text.plurals import plural


def error(code: ReasonCode, message: str) -> AgentReply:
    """A reply without an output, and why."""
    return AgentReply(None, 0, code, message)


def crash(message: str) -> AgentReply:
    """The agent raised, or its process ended."""
    return error("agent_crash", message)


def with_log(reply: AgentReply, log: str) -> AgentReply:
    """The reply with what was printed."""
    return replace(reply, log=log)


def how_it_ended(code: int) -> str:
    """A process's return code for people."""
    if code >= 0:
        return f"exited with status {code}"
    name = signal.Signals(-code).name
    memory = ", perhaps for want of memory" if name == "SIGKILL" else ""
    return f"was ended by {name}{memory}"


def time_limit(call: AgentCall, settings: AgentSettings) -> float:
    """Seconds that this call may take."""
    return settings.timeout if call.timeout is None else call.timeout


def timed_out(call: AgentCall, settings: AgentSettings) -> AgentReply:
    """The agent did not answer in time."""
    limit = time_limit(call, settings)
    return AgentReply(None, round(limit * 1000), "agent_timeout", f"no answer within {limit:g} s")


def unavailable(greeting: Mapping[str, Any]) -> dict[str, Any]:
    """From what a host said instead of being ready, the answer to every call."""
    why = greeting.get("failed") or greeting.get("died") or "it did not start in time"
    hint = f"\n  next: {greeting['hint']}" if greeting.get("hint") else ""
    return {
        "error": "agent_unavailable",
        "message": f"the agent cannot be started: {why}{hint}",
        "log": greeting.get("log", ""),
    }


def answered(answer: Mapping[str, Any], settings: AgentSettings, call: AgentCall) -> AgentReply:
    """From a host's answer: a result, an error, that it died or came too late.

    A request that is not recorded explains all that followed, so it comes first.
    """
    if answer.get("misses"):
        reply = error("recording_miss", _missed(answer["misses"]))
    elif "timeout" in answer:
        reply = timed_out(call, settings)
    elif "died" in answer:
        reply = crash(answer["died"])
    elif "error" in answer:
        reply = error(answer["error"], answer["message"])
    else:
        reply = judged(answer["result"], settings, call)
    recorded = answer.get("exchanges")
    return replace(
        reply,
        duration_ms=answer.get("ms", reply.duration_ms),
        log=cut_to_end(answer["log"]),
        recording=None if recorded is None else Recording(tuple(map(Exchange.from_json, recorded))),
    )


def _missed(misses: Sequence[Mapping[str, Any]]) -> str:
    """The first request that is not recorded, with the nearest that is."""
    first = misses[0]
    nearest = f"; the nearest recorded one: {first['nearest']}" if first["nearest"] else ""
    more = f" (and {len(misses) - 1} more)" if len(misses) > 1 else ""
    return f"not recorded: {first['request']}{nearest}{more}"


def judged(result: object, settings: AgentSettings, call: AgentCall) -> AgentReply:
    """The output of a result; agent_bad_output for another shape, agent_outage where it warns."""
    limit = call.max_output or settings.max_output
    try:
        output = normalise(result, volatile=settings.volatile, max_output=limit)
    except BadOutputError as exc:
        return error("agent_bad_output", str(exc))
    warning = outage(output, settings.outage_patterns)
    if warning is None:
        return AgentReply(output, 0)
    found = plural(len(output.findings), "finding")
    message = f"{found}, and the agent warns of an outage: {warning[:500]}"
    return AgentReply(output, 0, "agent_outage", message)

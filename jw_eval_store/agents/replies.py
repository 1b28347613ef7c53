"""From what came back to an AgentReply: the same rules for every adapter."""

from __future__ import annotations

from jw_eval_store.agents.interface import AgentCall, AgentReply
from jw_eval_store.agents.normalise import BadOutputError, normalise
from jw_eval_store.agents.outage import outage
from jw_eval_store.domain.evaluations import ReasonCode
from jw_eval_store.domain.settings import AgentSettings


def error(code: ReasonCode, message: str) -> AgentReply:
    """A reply without an output, and why."""
    return AgentReply(None, 0, code, message)


def crash(message: str) -> AgentReply:
    """The agent raised, or its process ended."""
    return error("agent_crash", message)


def judged(result: object, settings: AgentSettings, call: AgentCall) -> AgentReply:
    """The output of a result; agent_bad_output for another shape, agent_outage where it warns."""
    limit = min(call.max_output, settings.max_output)
    try:
        output = normalise(result, volatile=settings.volatile, max_output=limit)
    except BadOutputError as exc:
        return error("agent_bad_output", str(exc))
    warning = outage(output, settings.outage_patterns)
    if warning is None:
        return AgentReply(output, 0)
    message = f"{len(output.findings)} findings, and the agent warns of an outage: {warning[:500]}"
    return error("agent_outage", message)

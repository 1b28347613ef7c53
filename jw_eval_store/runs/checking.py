"""Try each agent once: does it start, where, what is it made of, and does it answer alike twice?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jw_eval_store.agents.interface import Agent, AgentReply
from jw_eval_store.agents.volatile import differing
from jw_eval_store.config import Config
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.runs.agents import Agents, list_agents, open_agents
from jw_eval_store.runs.judging import Case, agent_call
from jw_eval_store.runs.workspace import sync_workspace
from jw_eval_store.store.cases import load_cases, select_cases
from jw_eval_store.store.connect import Connection, writing
from jw_eval_store.store.recordings import current_recordings, load_recording
from jw_eval_store.text.plurals import plural


@dataclass(frozen=True)
class AgentCheck:
    """What one agent showed. `problem` empty: it answered; `volatile`: fields that differed."""

    agent: str
    origin: str
    interpreter: str = ""
    fingerprint: str = ""
    files: int = 0
    case_id: str = ""
    answer: str = ""
    problem: str = ""
    volatile: tuple[str, ...] = ()


def check_agents(
    config: Config, names: Sequence[str] = (), *, twice: bool = False
) -> list[AgentCheck]:
    """Start the named agents (all: none named), and ask each its first case, offline as in a run.

    With `twice` it is asked again, and the fields that differ are proposed for `volatile`. Raises
    UsageError for an unknown name, EmptySelectionError where there is no agent.
    """
    known = [agent.name for agent in list_agents(config, demonstration=False)]
    if not (names or known):
        hint = "configure one (jw-eval init), or set samples = true"
        raise EmptySelectionError("there is no agent to check", hint=hint)
    with writing(config.database) as conn:
        sync_workspace(conn, config, demonstration=False)
        with open_agents(config, names or known, demonstration=False) as agents:
            return [_check(conn, agent, agents, twice) for agent in agents.by_name.values()]


def _check(conn: Connection, agent: Agent, agents: Agents, twice: bool) -> AgentCheck:
    found = agent.fingerprint()
    check = AgentCheck(
        agent.name,
        agent.origin,
        found.versions.get("python", "") if found else "",
        found.fingerprint_hash if found else _unknown(agent),
        len(found.files) if found else 0,
    )
    selection = Selection(layers=("l1", "l2", "l3"), agents=(agent.name,))
    rows = select_cases(conn, selection, bundled=None)
    if not rows:
        return replace(check, problem="no case asks it, so it was not asked")
    case = load_cases(conn, [rows[0].revision])[rows[0].revision]
    key = current_recordings(conn).get((rows[0].key, agent.name))
    replies = [_ask(conn, agent, agents, case, key) for _ in range(1 + twice)]
    failed = next((r for r in replies if r.error is not None or r.output is None), None)
    if failed is not None:
        return replace(check, case_id=case.id, problem=f"{failed.error}: {failed.message}")
    outputs = [reply.output for reply in replies if reply.output is not None]
    first = outputs[0]
    answer = ", ".join(
        [plural(len(first.findings), "finding"), plural(len(first.warnings), "warning")]
    )
    volatile = tuple(differing(first, outputs[-1]))
    return replace(check, case_id=case.id, answer=answer, volatile=volatile)


def _unknown(agent: Agent) -> str:
    return f"unknown: {agent.silent or 'its cases are always stale'}"


def _ask(
    conn: Connection, agent: Agent, agents: Agents, case: Case, recording: int | None
) -> AgentReply:
    replayed = None if recording is None else load_recording(conn, recording)
    return agent.call(agent_call(case, agents.settings.get(agent.name), recording=replayed))

"""What a run's reader should be warned of though no verdict says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jw_eval_store.agents.interface import Agent
from jw_eval_store.domain.policies import Policy
from jw_eval_store.layers.constant import Answered, equal_outputs
from jw_eval_store.runs.planning import Plan
from jw_eval_store.store.cases import known_ids
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.repeats import wavering_cases
from jw_eval_store.store.results import repeated_answers, unknown_fingerprints
from jw_eval_store.store.rows import stored_json
from jw_eval_store.text.nearest import nearest


def run_notices(
    conn: Connection, run: int, plan: Plan, policy: Policy, agents: Mapping[str, Agent]
) -> list[str]:
    """Agents that answer alike or can't be reused, cases whose repeats differ, and what the policy
    accepts of no case.
    """
    return [
        *_constant_answers(conn, run),
        *_never_reused(conn, plan, agents),
        *_wavering(conn, run),
        *_accepts_nothing(conn, policy),
    ]


def _constant_answers(conn: Connection, run: int) -> Iterator[str]:
    """The same answer to different questions: a constant would pass many loose cases."""
    repeated = repeated_answers(conn, run)
    answers = (Answered(case, agent, stored_json(i), found) for case, agent, i, found in repeated)
    return (group.notice for group in equal_outputs(answers))


def _wavering(conn: Connection, run: int) -> Iterator[str]:
    found = wavering_cases(conn, run)
    if found:
        yield f"repeats of the same case got different verdicts: {', '.join(found)}"


def _never_reused(conn: Connection, plan: Plan, agents: Mapping[str, Agent]) -> Iterator[str]:
    for name in unknown_fingerprints(conn, plan.setups):
        if name in agents and agents[name].silent:
            yield f"{name}: {agents[name].silent}, so its cases are run again"
        else:
            yield f"{name}: its files are not known, so its cases are always run again"


def _accepts_nothing(conn: Connection, policy: Policy) -> Iterator[str]:
    """A mistyped entry would leave the failure that it is for unaccepted, and nobody knows why."""
    known = set(known_ids(conn)) if policy.accepted else set()
    for case in sorted({entry.case for entry in policy.accepted} - known):
        near = nearest(case, known)
        meant = f"; did you mean {near}?" if near else ""
        yield f"the policy's accepted: {case} names no case{meant}"

"""What a run's reader should be warned of though no verdict says it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from jw_eval_store.layers.constant import Answered, equal_outputs
from jw_eval_store.runs.planning import Plan
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.repeats import wavering_cases
from jw_eval_store.store.results import repeated_answers, unknown_fingerprints


def run_notices(conn: Connection, run: int, plan: Plan) -> list[str]:
    """Agents that answer alike or can't be reused, and cases whose repeats differ."""
    return [*_constant_answers(conn, run), *_never_reused(conn, plan), *_wavering(conn, run)]


def _constant_answers(conn: Connection, run: int) -> Iterator[str]:
    """The same answer to different questions: a constant would pass many loose cases."""
    repeated = repeated_answers(conn, run)
    answers = (Answered(case, agent, json.loads(i), found) for case, agent, i, found in repeated)
    return (group.notice for group in equal_outputs(answers))


def _wavering(conn: Connection, run: int) -> Iterator[str]:
    found = wavering_cases(conn, run)
    if found:
        yield f"repeats of the same case got different verdicts: {', '.join(found)}"


def _never_reused(conn: Connection, plan: Plan) -> Iterator[str]:
    for agent in unknown_fingerprints(conn, plan.setups):
        yield f"{agent}: its files are not known, so its cases are always run again"

"""What a run's reader should be warned of though no verdict says it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from jw_eval_store.runs.planning import Plan
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.results import equal_outputs, unknown_fingerprints

SHOWN = 4


def run_notices(conn: Connection, run: int, plan: Plan) -> list[str]:
    """Agents that answer different questions alike, and agents that can never be reused."""
    return [*_constant_answers(conn, run), *_never_reused(conn, plan)]


def _constant_answers(conn: Connection, run: int) -> Iterator[str]:
    """The same output for different inputs: a constant answer would pass many loose cases."""
    groups: dict[tuple[str, int], list[str]] = defaultdict(list)
    for agent, output, case_id in equal_outputs(conn, run):
        groups[agent, output].append(case_id)
    for (agent, _), cases in sorted(groups.items()):
        more = f" and {len(cases) - SHOWN} more" if len(cases) > SHOWN else ""
        yield f"{agent} gave equal outputs for different inputs: {', '.join(cases[:SHOWN])}{more}"


def _never_reused(conn: Connection, plan: Plan) -> Iterator[str]:
    setups = {item.setup for item in plan.items}
    for agent in unknown_fingerprints(conn, setups):
        yield f"{agent}: its files are not known, so its cases are always run again"

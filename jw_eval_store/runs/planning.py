"""Plan a run: which verdicts still hold, which cases must be asked again, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jw_eval_store.domain.cases import Layer
from jw_eval_store.store.cases import CaseRow
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.planning import (
    Earlier,
    LastInputs,
    Wanted,
    earlier_evaluations,
    last_inputs,
)

SetupKey = tuple[str, Layer, str]
"""(agent, layer, how it is judged: JSON of an L3 case's judge, else empty)."""


class Planned(NamedTuple):
    """One case of a run: its setup, and the evaluation that is reused (none: to be run)."""

    case: CaseRow
    setup: int
    reused: int | None = None
    recording: int | None = None


@dataclass(frozen=True)
class Plan:
    """All cases of a run, by id, split into what is reused and what is asked again."""

    items: tuple[Planned, ...]

    @property
    def stale(self) -> tuple[Planned, ...]:
        """The cases that must be asked."""
        return tuple(item for item in self.items if item.reused is None)


def make_plan(
    conn: Connection,
    rows: Sequence[CaseRow],
    setups: Mapping[SetupKey, int],
    key_of: Callable[[CaseRow], SetupKey],
    *,
    always_stale: Collection[SetupKey],
    reuse_from: Collection[int] | bool | None,
) -> Plan:
    """What to run; inside a transaction.

    `reuse_from`: False reuses nothing, None takes every earlier run, a collection only those runs.
    A verdict is reused where all its inputs are unchanged, and the newest one with these inputs is
    a pass: never a failure or an error. Setups in `always_stale` are never reused.
    """
    items = [Planned(row, setups[key_of(row)]) for row in rows]
    if reuse_from is False or reuse_from is True:
        return Plan(tuple(items))
    wanted = [
        Wanted(i.case.key, i.case.revision, i.case.equivalent, i.setup, i.recording)
        for i in items
        if not always_stale or key_of(i.case) not in always_stale
    ]
    earlier = earlier_evaluations(conn, wanted, reuse_from)
    return Plan(tuple(_with_earlier(item, earlier.get(item.case.key)) for item in items))


def _with_earlier(item: Planned, earlier: Earlier | None) -> Planned:
    if earlier is None or earlier.verdict != "pass":
        return item
    return Planned(item.case, item.setup, earlier.evaluation, item.recording)


def reasons_to_run(
    conn: Connection,
    stale: Sequence[Planned],
    changes: Callable[[Planned, LastInputs], Sequence[str]],
    *,
    reusing: bool,
) -> dict[int, str]:
    """By case key: why a case was asked and not reused. `changes` names the inputs that differ."""
    if not reusing:
        return {item.case.key: "run: reuse was not asked for (--since)" for item in stale}
    last = last_inputs(conn, (item.case.key for item in stale))
    return {item.case.key: _why(item, last.get(item.case.key), changes) for item in stale}


def _why(
    item: Planned,
    last: LastInputs | None,
    changes: Callable[[Planned, LastInputs], Sequence[str]],
) -> str:
    if last is None:
        return "run: never judged before"
    found = changes(item, last)
    if found:
        return "run: " + "; ".join(found)
    if last.verdict != "pass":
        return f"run: its last verdict was {last.verdict}, which is never reused"
    return "run: no reusable verdict (agent's fingerprint unknown, or --since excludes it)"

"""Counts of decisions, as lines of a table."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Literal, NamedTuple

from jw_eval_store.judges.pairs import LabelledPair

Decision = Literal["pass", "fail", "undecided"]
_COLUMNS = (
    "right", "false passes", "false fails", "undecided", "true passed", "contradictions passed",
    "ms",
)  # fmt: skip


class Decided(NamedTuple):
    """What a stage made of a pair, and how many seconds it took."""

    pair: LabelledPair
    decision: Decision
    seconds: float


def heading() -> str:
    """The table's head."""
    columns = " | ".join(_COLUMNS)
    return f"| stage | {columns} |\n|---|{'---|' * len(_COLUMNS)}"


def figures(name: str, decided: Sequence[Decided]) -> str:
    """A stage's line. `right` is of all pairs, undecided ones included; `ms` the median."""
    true = [each for each in decided if each.pair.is_true]
    others = [each for each in decided if not each.pair.is_true]
    contradicted = [each for each in others if each.pair.is_contradicted]
    right = _count(true, "pass") + _count(others, "fail")
    cells = (
        f"{100 * right / len(decided):.1f} %",
        _share(others, "pass"),
        _share(true, "fail"),
        _share(decided, "undecided"),
        _share(true, "pass"),
        _share(contradicted, "pass"),
        f"{1000 * statistics.median(each.seconds for each in decided):.1f}",
    )
    return f"| {name} | {' | '.join(cells)} |"


def _count(decided: Sequence[Decided], decision: Decision) -> int:
    return sum(each.decision == decision for each in decided)


def _share(decided: Sequence[Decided], decision: Decision) -> str:
    if not decided:
        return "-"
    count = _count(decided, decision)
    return f"{100 * count / len(decided):.1f} % ({count}/{len(decided)})"

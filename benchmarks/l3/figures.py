"""Counts of decisions, as lines of a table."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from benchmarks.l3.groups import is_long, language
from jw_eval_store.judges.pairs import LabelledPair
from jw_eval_store.judges.statistics import Share

Decision = Literal["pass", "fail", "undecided"]
_COLUMNS = (
    "right", "false passes", "false fails", "undecided", "true passed", "contradictions passed",
    "ms",
)  # fmt: skip
_JUDGED = (
    "n", "right", "false passes", "false fails", "undecided", "right: en", "es", "pt", "long",
    "calls", "ms",
)  # fmt: skip


class Decided(NamedTuple):
    """What a stage made of a pair, and how many processor seconds and calls it took."""

    pair: LabelledPair
    decision: Decision
    seconds: float
    calls: int = 0

    @property
    def is_right(self) -> bool:
        """Whether a true pair passed, or another one failed."""
        return self.decision == ("pass" if self.pair.is_true else "fail")


def heading(columns: Sequence[str] = _COLUMNS, first: str = "stage") -> str:
    """A table's head."""
    return f"| {first} | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}"


def judged_heading() -> str:
    """The head of the table of small samples."""
    return heading(_JUDGED)


def figures(name: str, decided: Sequence[Decided]) -> str:
    """A stage's line. `right` is of all pairs, undecided ones included; `ms` the median."""
    true = [each for each in decided if each.pair.is_true]
    others = [each for each in decided if not each.pair.is_true]
    contradicted = [each for each in others if each.pair.is_contradicted]
    cells = (
        f"{100 * sum(each.is_right for each in decided) / len(decided):.1f} %",
        _share(others, "pass"),
        _share(true, "fail"),
        _share(decided, "undecided"),
        _share(true, "pass"),
        _share(contradicted, "pass"),
        _milliseconds(decided, ".1f"),
    )
    return f"| {name} | {' | '.join(cells)} |"


def judged_figures(name: str, decided: Sequence[Decided]) -> str:
    """A line with Wilson's intervals of 95 %; `calls` is the mean, `ms` the median."""
    true = [each for each in decided if each.pair.is_true]
    others = [each for each in decided if not each.pair.is_true]
    cells = (
        str(len(decided)),
        _interval(decided, lambda each: each.is_right),
        _interval(others, lambda each: each.decision == "pass"),
        _interval(true, lambda each: each.decision == "fail"),
        _interval(decided, lambda each: each.decision == "undecided"),
        *(_right([d for d in decided if language(d.pair) == code]) for code in ("en", "es", "pt")),
        _right([d for d in decided if is_long(d.pair)]),
        f"{statistics.mean(each.calls for each in decided):.1f}",
        _milliseconds(decided, ",.0f"),
    )
    return f"| {name} | {' | '.join(cells)} |"


def _milliseconds(decided: Sequence[Decided], form: str) -> str:
    return format(1000 * statistics.median(each.seconds for each in decided), form)


def _share(decided: Sequence[Decided], decision: Decision) -> str:
    if not decided:
        return "-"
    count = sum(each.decision == decision for each in decided)
    return f"{100 * count / len(decided):.1f} % ({count}/{len(decided)})"


def _right(decided: Sequence[Decided]) -> str:
    return f"{sum(each.is_right for each in decided)}/{len(decided)}" if decided else "-"


def _interval(decided: Sequence[Decided], counts: Callable[[Decided], bool]) -> str:
    share = Share(sum(map(counts, decided)), len(decided))
    low, high = (round(100 * limit) for limit in share.interval)
    return f"{share.hits}/{share.total} ({low}-{high} %)" if decided else "-"

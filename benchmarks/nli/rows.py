"""What each stage makes of a set of pairs, as a line of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from jw_eval_store.judges.pairs import LabelledPair
from jw_eval_store.judges.statistics import Share

Decision = Literal["pass", "fail", "undecided"]
COLUMNS = (
    "others passed", "contradictions passed", "wrong among passes", "true passed", "true failed",
    "area under the curve", "two classes right",
)  # fmt: skip


@dataclass(frozen=True)
class Said:
    """A stage's decision. `score` ranks pairs (higher: rather true), and against contradictions
    less `contradiction`; `is_true` is of its two classes.
    """

    pair: LabelledPair
    decision: Decision
    score: float | None = None
    is_true: bool | None = None
    contradiction: float = 0.0


def heading(name: str) -> str:
    """A table's head."""
    return f"\n### {name}\n\n| stage | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}"


def line(name: str, said: Sequence[Said]) -> str:
    """Shares with their counts and Wilson's intervals of 95 %."""
    true = [one for one in said if one.pair.is_true]
    others = [one for one in said if not one.pair.is_true]
    against = [one for one in others if one.pair.is_contradicted]
    passed = [one for one in said if one.decision == "pass"]
    cells = (
        _share(others, "pass"),
        _share(against, "pass"),
        _of(sum(not one.pair.is_true for one in passed), len(passed)),
        _share(true, "pass"),
        _share(true, "fail"),
        _area(true, against, others),
        _two(said),
    )
    return f"| {name} | {' | '.join(cells)} |"


def _share(said: Sequence[Said], decision: Decision) -> str:
    return _of(sum(one.decision == decision for one in said), len(said))


def _of(hits: int, total: int) -> str:
    if not total:
        return "-"
    low, high = (100 * limit for limit in Share(hits, total).interval)
    return f"{100 * hits / total:.1f} % ({hits}/{total}; {low:.1f}-{high:.1f})"


def _area(true: Sequence[Said], against: Sequence[Said], others: Sequence[Said]) -> str:
    """Chance that a true pair stands above a contradiction; where there is none, above another
    pair. Ties count half.
    """
    if against:
        return _chance(
            [one.score - one.contradiction for one in true if one.score is not None],
            [one.score - one.contradiction for one in against if one.score is not None],
        )
    return _chance(
        [one.score for one in true if one.score is not None],
        [one.score for one in others if one.score is not None],
    )


def _chance(above: Sequence[float], below: Sequence[float]) -> str:
    if not above or not below:
        return "-"
    wins = sum((a > b) + (a == b) / 2 for a in above for b in below)
    return f"{wins / len(above) / len(below):.3f}"


def _two(said: Sequence[Said]) -> str:
    known = [one for one in said if one.is_true is not None]
    return _of(sum(one.is_true == one.pair.is_true for one in known), len(known))

"""How far a judge can be trusted, from what people say of its verdicts. Pure arithmetic.

Wilson's interval holds for small counts, where the normal approximation misleads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt

Z_95 = 1.959963984540054
"""Quantile of the normal distribution for an interval of 95 %."""


@dataclass(frozen=True)
class Share:
    """So many hits of a total, with Wilson's interval of 95 %. No value for a total of 0."""

    hits: int
    total: int

    @property
    def value(self) -> float | None:
        """The share, 0..1."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper limit; 0..1 where nothing was counted."""
        return wilson(self.hits, self.total)


@dataclass(frozen=True)
class Agreement:
    """A judge against people. `kappa` is Cohen's; none where chance alone explains everything.

    `true_positive` is the share of what people pass that the judge passes, `true_negative` of what
    they don't pass that it doesn't pass. All count scored pairs only; `not_scored` counts the rest.
    """

    agreement: Share
    kappa: float | None
    true_positive: Share
    true_negative: Share
    not_scored: Share


def agreement(pairs: Sequence[tuple[str | None, str]], positive: str = "pass") -> Agreement:
    """Agreement of (judge, person) pairs; a judge's none is a case it did not score."""
    scored = [(judge, person) for judge, person in pairs if judge is not None]
    passed = [judge for judge, person in scored if person == positive]
    others = [judge for judge, person in scored if person != positive]
    return Agreement(
        agreement=Share(sum(judge == person for judge, person in scored), len(scored)),
        kappa=cohens_kappa(scored),
        true_positive=Share(sum(judge == positive for judge in passed), len(passed)),
        true_negative=Share(sum(judge != positive for judge in others), len(others)),
        not_scored=Share(len(pairs) - len(scored), len(pairs)),
    )


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """(po - pe) / (1 - pe) (Cohen 1960); none without pairs, or where pe is 1."""
    if not pairs:
        return None
    total = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = sum(a == b for a, b in pairs)
    by_chance = sum(first[label] * second[label] for label in first)
    if by_chance == total * total:
        return None
    return (observed * total - by_chance) / (total * total - by_chance)


def wilson(hits: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval of a share (Wilson 1927)."""
    if total == 0:
        return 0.0, 1.0
    share = hits / total
    middle = share + z * z / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    low = (middle - spread) / scale if hits else 0.0
    high = (middle + spread) / scale if hits < total else 1.0
    return low, high


def flip_rate(repeats: Sequence[Sequence[Hashable]]) -> Share:
    """Share of cases whose repeated verdicts are not unanimous."""
    return Share(sum(len(set(verdicts)) > 1 for verdicts in repeats), len(repeats))

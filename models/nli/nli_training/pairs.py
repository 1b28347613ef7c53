"""A training pair, and how pairs are split: by premise, so that nothing is learnt by heart."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

ENTAILMENT, NEUTRAL, CONTRADICTION, NOT_ENTAILED = 0, 1, 2, 3
"""Classes in the model's order; the last is known only not to be the first."""

DEVELOPMENT_SHARE = 0.1


@dataclass(frozen=True)
class Pair:
    """A premise, a hypothesis and what the first says about the second.

    `group` is what may not be split between training and development: the premise's family.
    """

    premise: str
    hypothesis: str
    label: int
    lang: str
    source: str
    group: str

    def with_texts(
        self, premise: str, hypothesis: str, source: str, label: int | None = None
    ) -> Pair:
        """The same with other texts, and with another class if given."""
        chosen = self.label if label is None else label
        return replace(self, premise=premise, hypothesis=hypothesis, source=source, label=chosen)


def is_development(group: str, share: float = DEVELOPMENT_SHARE) -> bool:
    """Whether a group is held back; the same in every run and process."""
    first = int.from_bytes(hashlib.sha256(group.encode()).digest()[:4], "big")
    return first / 2**32 < share

"""What a model is worth on labelled pairs: classes right, and the area under the curve."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from nli_training.pairs import CONTRADICTION, ENTAILMENT, NOT_ENTAILED, Pair


@dataclass(frozen=True)
class Score:
    """Shares from 0 to 1. `area`: true against contradiction, by entailment less contradiction; in
    a set without contradictions (BEGIN) true against the rest, by entailment.
    """

    pairs: int
    three: float
    two: float
    area: float


def area_under_curve(positive: np.ndarray, negative: np.ndarray) -> float:
    """Chance that a positive stands above a negative; ties count half (Mann-Whitney U)."""
    if not len(positive) or not len(negative):
        return float("nan")
    both = np.concatenate([positive, negative])
    order = both.argsort(kind="stable")
    ranks = np.empty(len(both))
    ranks[order] = np.arange(1, len(both) + 1)
    _, inverse = np.unique(both, return_inverse=True)
    sums = np.bincount(inverse, ranks)
    ranks = (sums / np.bincount(inverse))[inverse]
    u = ranks[: len(positive)].sum() - len(positive) * (len(positive) + 1) / 2
    return float(u / len(positive) / len(negative))


def score(probabilities: np.ndarray, labels: np.ndarray) -> Score:
    """probabilities: [pairs, 3]; labels: [pairs], 3 for "not entailed"."""
    said, entailed = probabilities.argmax(1), labels == ENTAILMENT
    known = labels != NOT_ENTAILED
    p, wrong = probabilities[:, ENTAILMENT], ~entailed
    if (labels == CONTRADICTION).any():
        p, wrong = p - probabilities[:, CONTRADICTION], labels == CONTRADICTION
    three = float((said == labels)[known].mean()) if known.any() else float("nan")
    two = float(((said == ENTAILMENT) == entailed).mean())
    return Score(len(labels), three, two, area_under_curve(p[entailed], p[wrong]))


def by_source(pairs: list[Pair], probabilities: np.ndarray) -> dict[str, Score]:
    """A score per source and language, made pairs under one name."""
    groups: dict[str, list[int]] = defaultdict(list)
    for at, pair in enumerate(pairs):
        name = pair.source.split(":")[0]
        groups[f"{name}/{pair.lang}" if len(pair.lang) == 2 else f"{name}/across"].append(at)
    labels = np.array([pair.label for pair in pairs])
    return {
        name: score(probabilities[rows], labels[rows])
        for name, rows in sorted(groups.items())
        if len(rows) >= 20
    }

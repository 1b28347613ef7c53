"""Find an embedder's thresholds on labelled pairs, and say how far they can be trusted.

What is counted is what the layer does: an answer passes without a judge if it is near-literal, no
flag is raised and its topic score reaches `pass_at`; it fails below `reject`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.matching import EmbedderIdentity, ThresholdProfile
from jw_eval_store.judges.embedders.interface import Embedder
from jw_eval_store.judges.pairs import LabelledPair
from jw_eval_store.judges.sentences import SentenceComparer
from jw_eval_store.judges.word_guard import WordGuard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOWEST, STEP = -0.5, 0.01
GRID = 151
"""Thresholds tried: -0.50, -0.49, ... 1.00."""

RESAMPLES = 1000
SEED = 20260530
_KEPT = 0.95


@dataclass(frozen=True)
class Measured:
    """A pair as the stages see it. `near` is the greater of topic score and plain cosine."""

    pair: LabelledPair
    score: float
    near: float
    clean: bool
    literal: bool


@dataclass(frozen=True)
class CurvePoint:
    """What one threshold does, as shares: of true and other pairs passed, and failed."""

    threshold: float
    true_passed: float
    others_passed: float
    true_failed: float
    others_failed: float


@dataclass(frozen=True)
class Calibration:
    """The profile, and the trade-off it was chosen from."""

    profile: ThresholdProfile
    curve: tuple[CurvePoint, ...]


def measure(pairs: Sequence[LabelledPair], embedder: Embedder) -> tuple[Measured, ...]:
    """What the stages see of each pair."""
    comparer, guard = SentenceComparer(embedder), WordGuard()
    measured = []
    for pair in pairs:
        topic = comparer.compare(pair.reference, pair.text)
        flags = guard.flags(topic, pair.language)
        agreement = guard.agreement(topic, flags, pair.language)
        near = max(topic.score, topic.cosine)
        measured.append(Measured(pair, topic.score, near, not flags, agreement.agrees))
    return tuple(measured)


def calibrate(
    pairs: Sequence[LabelledPair], embedder: Embedder, wanted: float = 0.01
) -> Calibration:
    """Thresholds for at most a share `wanted` of other pairs passed and of true pairs failed.

    Raises UsageError where there are no true pairs or no others.
    """
    return calibrate_measured(measure(pairs, embedder), embedder.identity, wanted)


def calibrate_measured(
    measured: Sequence[Measured],
    identity: EmbedderIdentity,
    wanted: float,
    resamples: int = RESAMPLES,
) -> Calibration:
    """The same from pairs already measured; `resamples` of the bootstrap."""
    import numpy as np

    if not 0 < wanted < 1:
        raise UsageError(f"the wanted rate of false passes is {wanted}", hint="give 0 < rate < 1")
    truth = np.array([one.pair.is_true for one in measured], dtype=bool)
    if truth.all() or not truth.any():
        raise UsageError(
            "the pairs are all of one kind", hint="give true pairs and others, 100 or more of each"
        )
    table = _Table(
        truth,
        _bins([one.score for one in measured]),
        _bins([one.near for one in measured]),
        np.array([one.literal for one in measured], dtype=bool),
        _groups(measured),
    )
    everyone = np.arange(len(measured))
    reject, pass_at = _chosen(table, everyone, wanted)
    profile = ThresholdProfile(
        embedder=identity,
        reject=_threshold(reject),
        pass_at=_threshold(pass_at),
        intervals=_intervals(table, wanted, reject, pass_at, resamples),
        provenance=_provenance(measured, _threshold(reject), _threshold(pass_at))
        | {"wanted_rate": wanted, "resamples": resamples, "seed": SEED},
    )
    return Calibration(profile, _curve(table.shares(everyone)))


@dataclass(frozen=True)
class _Table:
    """Pairs as columns: truth, bins of score and nearness, near-literal agreement, group."""

    truth: NDArray[np.bool_]
    score: NDArray[np.int64]
    near: NDArray[np.int64]
    literal: NDArray[np.bool_]
    group: NDArray[np.int64]

    def shares(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Shares passed (true, others) and failed (true, others) per threshold, shape (4, GRID)."""
        import numpy as np

        truth, score, near = self.truth[rows], self.score[rows], self.near[rows]
        literal = self.literal[rows]
        result = np.zeros((4, GRID))
        for index, kind in enumerate((truth, ~truth)):
            total = max(1, int(kind.sum()))
            at = np.bincount(score[kind & literal], minlength=GRID)
            below = np.bincount(near[kind], minlength=GRID)
            result[index] = at[::-1].cumsum()[::-1] / total
            result[index + 2] = np.concatenate(([0], below.cumsum()[:-1])) / total
        return result


def _bins(values: Sequence[float]) -> NDArray[np.int64]:
    """The highest threshold of the grid that each value still reaches."""
    import numpy as np

    steps = np.floor(np.round((np.asarray(values) - LOWEST) / STEP, 6))
    return np.clip(steps, 0, GRID - 1).astype(np.int64)


def _threshold(index: int) -> float:
    return round(LOWEST + STEP * index, 2)


def _groups(measured: Sequence[Measured]) -> NDArray[np.int64]:
    """A number for each set and language."""
    import numpy as np

    names = [(one.pair.group, one.pair.language) for one in measured]
    order = {name: place for place, name in enumerate(sorted(set(names)))}
    return np.array([order[name] for name in names], dtype=np.int64)


def _chosen(table: _Table, rows: NDArray[np.int64], wanted: float) -> tuple[int, int]:
    """Places of reject and pass_at in the grid. The wanted rate must hold in every group.

    Reject is the highest threshold that fails no more true pairs than wanted. Among the pass
    thresholds that pass no more others than wanted, it is the highest that keeps 95 % of the true
    pairs which the lowest of them passes: the strictest one that costs next to nothing.
    """
    import numpy as np

    groups = [rows[table.group[rows] == group] for group in np.unique(table.group[rows])]
    worst = np.max([table.shares(group) for group in groups], axis=0)
    reject = int(np.flatnonzero(worst[2] <= wanted)[-1])
    allowed = np.flatnonzero(worst[1] <= wanted)
    lowest = int(allowed[0]) if allowed.size else GRID - 1
    true_passed = table.shares(rows)[0]
    kept = np.flatnonzero(true_passed >= _KEPT * max(true_passed[lowest], 1e-9))
    return reject, max(lowest, reject, int(kept[-1]) if kept.size else GRID - 1)


def _intervals(
    table: _Table, wanted: float, reject: int, pass_at: int, resamples: int
) -> dict[str, tuple[float, float]]:
    """95 % bootstrap intervals of thresholds, and of the shares at the thresholds chosen."""
    import numpy as np

    generator = np.random.default_rng(SEED)
    count = len(table.truth)
    samples: dict[str, list[float]] = {}
    for _ in range(resamples):
        rows = generator.integers(0, count, count)
        shares = table.shares(rows)
        low, high = _chosen(table, rows, wanted)
        for name, value in (
            ("reject", _threshold(low)),
            ("pass_at", _threshold(high)),
            ("true_passed", shares[0, pass_at]),
            ("others_passed", shares[1, pass_at]),
            ("true_failed", shares[2, reject]),
            ("others_failed", shares[3, reject]),
        ):
            samples.setdefault(name, []).append(float(value))
    return {
        name: (round(float(low), 4), round(float(high), 4))
        for name, values in samples.items()
        for low, high in [np.percentile(values, [2.5, 97.5])]
    }


def _curve(shares: NDArray[np.float64]) -> tuple[CurvePoint, ...]:
    return tuple(
        CurvePoint(_threshold(index), *(round(float(share), 4) for share in shares[:, index]))
        for index in range(GRID)
    )


def _provenance(measured: Sequence[Measured], reject: float, pass_at: float) -> dict[str, Any]:
    """Which pairs, how many, and what came out at the thresholds chosen."""
    sets: dict[str, Any] = {}
    for one in measured:
        pair = one.pair
        entry = sets.setdefault(
            f"{pair.group or 'pairs'} ({pair.language})", {"licence": pair.licence, "labels": {}}
        )
        label = entry["labels"].setdefault(pair.label, {"pairs": 0, "passed": 0, "failed": 0})
        label["pairs"] += 1
        label["passed"] += one.literal and one.score >= pass_at
        label["failed"] += one.near < reject
    return {"sets": sets, "guard": WordGuard().identity_hash}

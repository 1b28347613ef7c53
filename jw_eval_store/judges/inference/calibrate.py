"""Find from which probabilities on a model for inference may decide, and how far to trust that.

What is counted is what the layer does: an answer in scope passes without a judge if the guard finds
nothing firm, nothing contradicts and its score reaches `pass_at`; it fails from `fail_at` on.
Thresholds don't carry over between kinds of text and languages, so each pair of them is an entry of
its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.inference import (
    LEAST_RIGHT,
    LEAST_WRONG,
    Counted,
    InferenceProfile,
    InferenceThresholds,
    base_language,
)
from jw_eval_store.judges.embedders.interface import Embedder
from jw_eval_store.judges.inference.interface import InferenceModel
from jw_eval_store.judges.inference.reader import Limits, decide, within_scope
from jw_eval_store.judges.inference.sheet import AGGREGATION, hold_together
from jw_eval_store.judges.pairs import LabelledPair
from jw_eval_store.judges.sentences import SentenceComparer
from jw_eval_store.judges.statistics import wilson
from jw_eval_store.judges.word_guard import WordGuard

GRID = tuple(round(0.5 + step / 1000, 3) for step in range(500))
"""Thresholds tried: 0.500, 0.501, ... 0.999."""

KEPT = 0.95
"""Share of the true pairs that the strictest threshold must still pass."""

_ANY = Limits(GRID[0], GRID[0], "")


@dataclass(frozen=True)
class InferredPair:
    """A pair as the stage sees it.

    `is_clean`: the guard looked, and neither that nor its scope keeps it from passing; `may_fail`:
    it is brief and in scope, so that a contradiction fails it. A pair over the model's window has
    no score and no contradiction: it is never decided.
    """

    pair: LabelledPair
    score: float
    contradiction: float
    is_clean: bool
    may_fail: bool = True

    def decided(self, pass_at: float | None, fail_at: float | None) -> str:
        """`pass` or `fail` as the stage alone decides under these thresholds, else empty."""
        limits = Limits(pass_at, fail_at if self.may_fail else None, "")
        verdict = decide(self.score, self.contradiction, limits)
        return "" if verdict is None or (verdict == "pass" and not self.is_clean) else verdict


def measure_inference(
    pairs: Sequence[LabelledPair], model: InferenceModel, embedder: Embedder | None
) -> tuple[InferredPair, ...]:
    """What the stage sees of each pair. Without an embedder no pair is clean, as in the layer."""
    comparer = SentenceComparer(embedder) if embedder else None
    return tuple(_measured(pair, model, comparer) for pair in pairs)


def _measured(
    pair: LabelledPair, model: InferenceModel, comparer: SentenceComparer | None
) -> InferredPair:
    is_clean = False
    if comparer is not None:
        topic = comparer.compare(pair.reference, pair.text)
        is_clean = not any(flag.firm for flag in WordGuard().flags(topic, pair.language))
    try:
        sheet = hold_together(model.of_kind(pair.kind), pair.reference, pair.text)
    except UsageError:
        return InferredPair(pair, 0.0, 0.0, is_clean)
    limits, _ = within_scope(sheet, _ANY, pair.language, pair.kind)
    is_clean = is_clean and limits.pass_at is not None
    may_fail = sheet.is_brief and limits.fail_at is not None
    return InferredPair(pair, sheet.score, sheet.contradiction, is_clean, may_fail)


def calibrate_inference(
    measured: Sequence[InferredPair],
    model: InferenceModel,
    wanted: float = 0.01,
    shipped: Iterable[InferenceThresholds] = (),
) -> InferenceProfile:
    """An entry per kind and language: at most a share `wanted` of others passed, of true failed.

    `shipped` entries hold where too few of the others contradict: beside wrong answers that are off
    the topic any threshold looks safe.

    Raises UsageError for a rate that is none, and where there are no pairs.
    """
    if not 0 < wanted < 1:
        raise UsageError(f"the wanted rate of false passes is {wanted}", hint="give 0 < rate < 1")
    if not measured:
        raise UsageError("there are no pairs to calibrate on", hint="give labelled pairs")
    groups: dict[tuple[str, str], list[InferredPair]] = {}
    for one in measured:
        key = (one.pair.kind, base_language(one.pair.language))
        groups.setdefault(key, []).append(one)
    known = {entry.key: entry.pass_at for entry in shipped}
    return InferenceProfile(
        model=model.label,
        revision=model.revision,
        aggregation=AGGREGATION,
        entries=tuple(
            calibrate_entry(*key, groups[key], wanted, known.get(key)) for key in sorted(groups)
        ),
        provenance={"wanted_rate": wanted, "guard": WordGuard().identity_hash}
        | {"sets": _sets(measured)},
    )


def calibrate_entry(
    kind: str,
    language: str,
    measured: Sequence[InferredPair],
    wanted: float,
    shipped: float | None = None,
) -> InferenceThresholds:
    """Thresholds that keep the wanted rate on these pairs; none with the reason.

    `fail_at` is the lowest; `pass_at` the strictest that passes nearly as much as the lowest, and
    not below the one `shipped` where fewer than `LEAST_RIGHT` of the pairs contradict.
    """
    true = [one for one in measured if one.pair.is_true]
    others = [one for one in measured if not one.pair.is_true]
    pass_at, no_pass = _pass_at(true, others, wanted)
    fail_at, no_fail = _fail_at(true, others, wanted)
    against = [one for one in others if one.pair.is_contradicted]
    if pass_at and shipped and pass_at < shipped and len(against) < LEAST_RIGHT:
        few = (
            f"{len(against)} pairs are labelled contradicted, {LEAST_RIGHT} are needed to go below"
        )
        no_pass = f"passes from {shipped:.3f} on as shipped, not from {pass_at:.3f}: {few}"
        pass_at = shipped

    def counted(ones: Sequence[InferredPair], verdict: str) -> Counted:
        return _counted(ones, [one.decided(pass_at, fail_at) == verdict for one in ones])

    return InferenceThresholds(
        kind=kind,
        language=language,
        pass_at=pass_at,
        fail_at=fail_at,
        pairs=len(measured),
        true_passed=counted(true, "pass"),
        others_passed=counted(others, "pass"),
        contradictions_passed=counted(against, "pass"),
        true_failed=counted(true, "fail"),
        contradictions_failed=counted(against, "fail"),
        reasons=tuple(reason for reason in (no_pass, no_fail) if reason),
    )


def _pass_at(
    true: Sequence[InferredPair], others: Sequence[InferredPair], wanted: float
) -> tuple[float | None, str]:
    if len(others) < LEAST_WRONG or len(true) < LEAST_RIGHT:
        return None, (
            f"passes nothing: {len(others)} pairs that are not true and {len(true)} true ones;"
            f" {LEAST_WRONG} and {LEAST_RIGHT} are needed"
        )
    if not any(one.is_clean for one in (*true, *others)):
        return None, "passes nothing: no pair is clean, since there is no embedder for the guard"
    wrong, right = (
        [one.score if one.decided(GRID[0], None) == "pass" else 0.0 for one in ones]
        for ones in (others, true)
    )
    found = _strictest(right, _lowest(wrong, wanted))
    return found, "" if found else f"passes nothing: too many others reach even {GRID[-1]}"


def _fail_at(
    true: Sequence[InferredPair], others: Sequence[InferredPair], wanted: float
) -> tuple[float | None, str]:
    if len(true) < LEAST_WRONG or len(others) < LEAST_RIGHT:
        return None, (
            f"fails nothing: {len(true)} true pairs and {len(others)} others;"
            f" {LEAST_WRONG} and {LEAST_RIGHT} are needed"
        )
    found = _lowest([one.contradiction if one.may_fail else 0.0 for one in true], wanted)
    return found, "" if found else f"fails nothing: too many true pairs reach even {GRID[-1]}"


def _lowest(wrong: Sequence[float], wanted: float) -> float | None:
    """The lowest threshold of the grid that no more than the wanted share reaches."""
    allowed = wanted * len(wrong)
    return next((t for t in GRID if sum(value >= t for value in wrong) <= allowed), None)


def _strictest(right: Sequence[float], lowest: float | None) -> float | None:
    """The highest threshold that keeps 95 % of what the lowest one passes."""
    if lowest is None:
        return None
    kept = KEPT * sum(value >= lowest for value in right)
    return max(t for t in GRID if t >= lowest and sum(value >= t for value in right) >= kept)


def _counted(ones: Sequence[InferredPair], hits: Iterable[bool]) -> Counted:
    found = sum(hits)
    lower, upper = wilson(found, len(ones))
    return Counted(hits=found, total=len(ones), lower=round(lower, 4), upper=round(upper, 4))


def _sets(measured: Sequence[InferredPair]) -> dict[str, Any]:
    """Which pairs, how many, under which licence."""
    sets: dict[str, Any] = {}
    for one in measured:
        pair = one.pair
        name = f"{pair.group or 'pairs'} ({pair.language})"
        entry = sets.setdefault(name, {"licence": pair.licence, "labels": {}})
        entry["labels"][pair.label] = entry["labels"].get(pair.label, 0) + 1
    return sets

"""`judge calibrate` and `judge profiles`: thresholds measured on labelled pairs, and kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from jw_eval_store.config import Config
from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.domain.inference import (
    LEAST_RIGHT,
    InferenceProfile,
    InferenceThresholds,
    in_force,
)
from jw_eval_store.domain.matching import ThresholdProfile
from jw_eval_store.judges.calibrate import Calibration, calibrate
from jw_eval_store.judges.embedders.cache import CachedEmbedder, MemoryCache
from jw_eval_store.judges.embedders.choose import choose_embedder
from jw_eval_store.judges.inference.calibrate import calibrate_inference, measure_inference
from jw_eval_store.judges.inference.choose import choose_inference
from jw_eval_store.judges.inference.sheet import AGGREGATION
from jw_eval_store.judges.pairs import LabelledPair, read_pairs
from jw_eval_store.judges.profiles import shipped_profiles
from jw_eval_store.runs import inferring
from jw_eval_store.store.connect import reading, transaction, writing
from jw_eval_store.store.inference_profiles import inference_profiles, put_inference_profile
from jw_eval_store.store.profiles import all_profiles, put_profile

Part = Literal["embedder", "nli"]
_Profile = TypeVar("_Profile", ThresholdProfile, InferenceProfile)


@dataclass(frozen=True)
class Calibrated:
    """What was measured: of the embedder, of the cross-encoder, or of both.

    `kind` is that of the project's cases.
    """

    embedder: Calibration | None
    inference: InferenceProfile | None
    kind: str


@dataclass(frozen=True)
class KnownProfile:
    """A profile, where it comes from (`calibrated` here or `shipped`), and whether it holds.

    `id` is what `judge forget` takes; of a cross-encoder all kinds and languages share one.
    """

    id: str
    profile: ThresholdProfile
    origin: str
    in_force: bool


@dataclass(frozen=True)
class KnownInference:
    """The same of a cross-encoder's thresholds for one kind of text and language."""

    id: str
    model: str
    revision: str
    thresholds: InferenceThresholds
    provenance: Mapping[str, Any]
    origin: str
    in_force: bool


def calibrate_from(
    config: Config, pairs: Path, false_passes: float = 0.01, only: Part | None = None
) -> Calibrated:
    """Find thresholds on a file of pairs, and bring them into force.

    Those of the configured embedder, and of the cross-encoder where one is set; `only`: of one of
    them. The stored profiles say from which file they come. The pairs' vectors are not kept. Raises
    UsageError for a file that can't be used, InfrastructureError where a model can't be had.
    """
    labelled = once_each(read_pairs(pairs), pairs)
    source = {
        "file": pairs.name,
        "file_hash": content_hash(pairs.read_bytes()),
        "pairs": len(labelled),
    }
    if only != "nli" and config.settings.embedder.backend != "none":
        _refuse_few(labelled, pairs)
    with ExitStack() as stack:
        embedder = _embedder(stack, config, only)
        measured = None
        if embedder is not None and only != "nli":
            measured = calibrate(labelled, embedder, false_passes)
            measured = Calibration(_from(measured.profile, source), measured.curve)
        inference = None
        if config.settings.judge.nli is not None and only != "embedder":
            inference = _inference(config.settings.judge.nli, labelled, embedder, false_passes)
            inference = _from(inference, source)
    with writing(config.database) as conn, transaction(conn):
        if measured is not None:
            put_profile(conn, measured.profile)
        if inference is not None:
            put_inference_profile(conn, inference)
    return Calibrated(measured, inference, config.settings.judge.nli_kind)


def _refuse_few(labelled: Sequence[LabelledPair], file: Path) -> None:
    """An embedder's thresholds are found whatever the pairs: by four of them all answers fail."""
    true = sum(pair.is_true for pair in labelled)
    others = len(labelled) - true
    if min(true, others) < LEAST_RIGHT:
        raise UsageError(
            f"{file}: {true} true pairs and {others} others are too few for the embedder;"
            f" {LEAST_RIGHT} of each are needed, and 100 are better",
            hint="label more, or calibrate the cross-encoder alone: --only nli",
        )


def once_each(labelled: Sequence[LabelledPair], file: Path) -> list[LabelledPair]:
    """Each pair once: a copy tells nothing new, and would make every limit look surer than it is.

    Raises UsageError for two that are the same and labelled right and wrong.
    """
    found: dict[tuple[str, ...], LabelledPair] = {}
    for pair in labelled:
        key = (pair.reference.strip(), pair.text.strip(), pair.language, pair.kind)
        if found.setdefault(key, pair).is_true != pair.is_true:
            raise UsageError(
                f"{file}: “{pair.text.strip()[:80]}” is labelled {found[key].label} and"
                f" {pair.label} under the same reference",
                hint="keep the label that is right",
            )
    return list(found.values())


def _embedder(stack: ExitStack, config: Config, only: Part | None) -> CachedEmbedder | None:
    """The embedder, whose matches the guard of both looks at. Raises UsageError if nothing is set.

    Whatever is asked for by name must be there.
    """
    nli = config.settings.judge.nli
    if only == "nli" and nli is None:
        raise UsageError("no cross-encoder is set", hint="set JW_EVAL_NLI=embedded")
    found = choose_embedder(config.settings.embedder)
    if found is None and (only == "embedder" or nli is None):
        raise UsageError(
            "the configuration switches the embedder off", hint="set JW_EVAL_EMBEDDER to one"
        )
    if found is None:
        return None
    embedder = CachedEmbedder(found, MemoryCache())
    stack.callback(embedder.close)
    return embedder


def _from(profile: _Profile, source: Mapping[str, Any]) -> _Profile:
    """The profile, with what it was measured on."""
    return profile.model_copy(update={"provenance": {**profile.provenance, **source}})


def _inference(
    name: str, labelled: Sequence[LabelledPair], embedder: CachedEmbedder | None, wanted: float
) -> InferenceProfile:
    model = choose_inference(name)
    shipped = [
        entry
        for profile in inferring.shipped_profiles()
        if profile.revision == model.revision
        for entry in profile.entries
    ]
    measured = measure_inference(labelled, model, embedder)
    found = calibrate_inference(measured, model, wanted, shipped)
    return _from(found, {"embedder": embedder.identity.label if embedder else None})


def known_profiles(config: HasDatabase) -> list[KnownProfile]:
    """All stored and shipped profiles; of each embedder the first one holds."""
    stored: tuple[ThresholdProfile, ...] = ()
    if config.database.exists():
        with reading(config.database) as conn:
            stored = all_profiles(conn)
    found = [("calibrated", p) for p in stored] + [("shipped", p) for p in shipped_profiles()]
    first: dict[str, ThresholdProfile] = {}
    for _, profile in found:
        first.setdefault(profile.embedder.identity_hash, profile)
    return [
        KnownProfile(p.profile_hash, p, origin, first[p.embedder.identity_hash] is p)
        for origin, p in found
    ]


def known_inference(config: HasDatabase) -> list[KnownInference]:
    """All stored and shipped thresholds; of each model, kind and language the first ones hold."""
    stored: tuple[InferenceProfile, ...] = ()
    if config.database.exists():
        with reading(config.database) as conn:
            stored = inference_profiles(conn)
    shipped = inferring.shipped_profiles()
    found = [("calibrated", p) for p in stored] + [("shipped", p) for p in shipped]
    return [*_each(found)]


def _each(found: Sequence[tuple[str, InferenceProfile]]) -> Iterator[KnownInference]:
    current = [p for _, p in found if p.aggregation == AGGREGATION]
    for origin, p in found:
        holding = in_force(other for other in current if other.revision == p.revision)
        for entry in p.entries:
            holds = holding.get(entry.key) is entry
            yield KnownInference(
                p.profile_hash, p.model, p.revision, entry, p.provenance, origin, holds
            )

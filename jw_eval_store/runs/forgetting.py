"""`judge forget`: take a stored calibration away, after a look at what rests on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.inference import InferenceProfile, InferenceThresholds, in_force
from jw_eval_store.domain.matching import ThresholdProfile
from jw_eval_store.judges import profiles as embedders
from jw_eval_store.judges.inference.reader import thresholds_hash
from jw_eval_store.judges.inference.sheet import AGGREGATION
from jw_eval_store.runs.inferring import shipped_profiles
from jw_eval_store.store.connect import Connection, reading, transaction, writing
from jw_eval_store.store.inference_profiles import (
    delete_inference_profile,
    inference_profiles,
    verdicts_under_thresholds,
)
from jw_eval_store.store.profiles import all_profiles, delete_profile, verdicts_under

Profile = ThresholdProfile | InferenceProfile


class Bounds(NamedTuple):
    """From where on answers pass and fail without a judge; none: they never do."""

    passes: float | None
    fails: float | None


@dataclass(frozen=True)
class Change:
    """What holds of the calibration, and what will then; a cross-encoder's for a kind and language.

    `then` is none where nothing else was calibrated or shipped.
    """

    kind: str | None
    language: str | None
    now: Bounds
    then: Bounds | None


@dataclass(frozen=True)
class Forgotten:
    """A calibration that was removed, or would be, and so many verdicts made under it."""

    id: str
    label: str
    file: str | None
    changes: Sequence[Change]
    verdicts: int
    cases: int


def forget_profile(config: HasDatabase, name: str, *, dry_run: bool) -> Forgotten:
    """Remove a stored calibration by its id or the beginning of it.

    Verdicts that were made under it stay; another setup holds from then on, so that their cases are
    judged again. Raises UsageError for an id that is no stored calibration's, or that of several.
    """
    with reading(config.database) as conn:
        stored: list[Profile] = [*all_profiles(conn), *inference_profiles(conn)]
        profile = _named(name, stored)
        found = _looked_at(conn, profile)
    if not dry_run:
        is_embedder = isinstance(profile, ThresholdProfile)
        delete = delete_profile if is_embedder else delete_inference_profile
        with writing(config.database, make=False) as conn, transaction(conn):
            delete(conn, profile.profile_hash)
    return found


def _named(name: str, stored: Iterable[Profile]) -> Profile:
    wanted = name.strip().removeprefix("sha256:").lower()
    found = _beginning(wanted, stored)
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{len(found)} calibrations begin with {name!r}", hint="write more of it")
    if _beginning(wanted, [*embedders.shipped_profiles(), *shipped_profiles()]):
        raise UsageError(
            f"{name!r} was shipped, and is not stored here",
            hint="calibrate on pairs of your own, which then hold: jw-eval judge calibrate FILE",
        )
    raise UsageError(f"no calibration {name!r} is stored", hint="see: jw-eval judge profiles")


def _beginning(wanted: str, profiles: Iterable[Profile]) -> list[Profile]:
    hashes = ((p, p.profile_hash.removeprefix("sha256:")) for p in profiles)
    return [p for p, digest in hashes if wanted and digest.startswith(wanted)]


def _looked_at(conn: Connection, profile: Profile) -> Forgotten:
    file = profile.provenance.get("file")
    if isinstance(profile, ThresholdProfile):
        label = profile.embedder.label
        changes = tuple(_embedder_changes(profile, all_profiles(conn)))
        counts = verdicts_under(conn, profile.profile_hash)
    else:
        label = f"{profile.model} ({profile.revision[:19]})"
        known = [*inference_profiles(conn), *shipped_profiles()]
        changes = tuple(_inference_changes(profile, known))
        counts = verdicts_under_thresholds(conn, profile, _held_with(profile, known))
    return Forgotten(profile.profile_hash, label, str(file) if file else None, changes, *counts)


def _embedder_changes(
    profile: ThresholdProfile, stored: Iterable[ThresholdProfile]
) -> Iterator[Change]:
    known = [*stored, *embedders.shipped_profiles()]
    first, *others = [p for p in known if p.embedder == profile.embedder]
    if first == profile:
        now, then = Bounds(first.pass_at, first.reject), None
        if others:
            then = Bounds(others[0].pass_at, others[0].reject)
        yield Change(None, None, now, then)


def _inference_changes(
    profile: InferenceProfile, known: Iterable[InferenceProfile]
) -> Iterator[Change]:
    alike = [p for p in known if (p.revision, p.aggregation) == (profile.revision, AGGREGATION)]
    then = in_force(p for p in alike if p != profile)
    for key, entry in in_force(alike).items():
        if then.get(key) != entry:
            yield Change(*key, _bounds(entry), _bounds(then[key]) if key in then else None)


def _bounds(entry: InferenceThresholds) -> Bounds:
    return Bounds(entry.pass_at, entry.fail_at)


def _held_with(
    profile: InferenceProfile, known: Iterable[InferenceProfile]
) -> set[tuple[str, str]]:
    """Kinds with the digests of their thresholds, whenever some of them were this profile's.

    Verdicts name the digest alone. So what was in force is found again, calibration by calibration
    since this one.
    """
    way = (profile.revision, profile.aggregation)
    alike = [p for p in known if (p.revision, p.aggregation) == way]
    found = set()
    for start in range(alike.index(profile) + 1):
        held = in_force(alike[start:])
        for kind in {key[0] for key, entry in held.items() if entry in profile.entries}:
            digest = thresholds_hash(entry for key, entry in held.items() if key[0] == kind)
            found |= {(kind, digest)} if digest else set()
    return found

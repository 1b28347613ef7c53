"""`judge calibrate` and `judge profiles`: thresholds measured on labelled pairs, and kept."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.domain.matching import ThresholdProfile
from jw_eval_store.judges.calibrate import Calibration, calibrate
from jw_eval_store.judges.embedders.cache import CachedEmbedder, MemoryCache
from jw_eval_store.judges.embedders.choose import choose_embedder
from jw_eval_store.judges.pairs import read_pairs
from jw_eval_store.judges.profiles import shipped_profiles
from jw_eval_store.store.connect import reading, transaction, writing
from jw_eval_store.store.profiles import all_profiles, put_profile


@dataclass(frozen=True)
class KnownProfile:
    """A profile, where it comes from (`calibrated` here or `shipped`), and whether it holds."""

    profile: ThresholdProfile
    origin: str
    in_force: bool


def calibrate_from(config: Config, pairs: Path, false_passes: float = 0.01) -> Calibration:
    """Find the thresholds of the configured embedder on a file of pairs, and bring them into force.

    The stored profile says from which file they come. Its pairs' vectors are not kept. Raises
    UsageError for a file that can't be used, InfrastructureError where there is no embedder.
    """
    labelled = read_pairs(pairs)
    found = choose_embedder(config.settings.embedder)
    if found is None:
        raise UsageError(
            "the configuration switches the embedder off", hint="set JW_EVAL_EMBEDDER to one"
        )
    with closing(CachedEmbedder(found, MemoryCache())) as embedder:
        measured = calibrate(labelled, embedder, false_passes)
    source = {
        "file": pairs.name,
        "file_hash": content_hash(pairs.read_bytes()),
        "pairs": len(labelled),
    }
    profile = measured.profile.model_copy(
        update={"provenance": {**measured.profile.provenance, **source}}
    )
    with writing(config.database) as conn, transaction(conn):
        put_profile(conn, profile)
    return Calibration(profile, measured.curve)


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
    return [KnownProfile(p, origin, first[p.embedder.identity_hash] is p) for origin, p in found]

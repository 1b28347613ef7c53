"""`embeddings ...` and `cases similar` as commands: with the configured embedder and database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jw_eval_store.config import Config
from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.embedders.cache import CachedEmbedder
from jw_eval_store.runs.embedding_cache import open_embedder
from jw_eval_store.runs.embeddings import Warmed, list_embeddings, prune, reindex, warm
from jw_eval_store.runs.registry.opening import opened
from jw_eval_store.runs.similar import SimilarText, similar
from jw_eval_store.store.connect import reading, writing
from jw_eval_store.store.embeddings import CachedVectors


def list_cache(config: HasDatabase) -> list[CachedVectors]:
    """What the cache holds, an entry per embedder."""
    with reading(config.database) as conn:
        return list_embeddings(conn)


def warm_cache(config: Config, *, demonstration: bool = False, anew: bool = False) -> Warmed:
    """Compute the vectors of all current cases; `anew`: make the index again as well.

    Raises InfrastructureError where there is no embedder, UsageError where it is switched off.
    """
    with opened(config, demonstration=demonstration) as registry, _embedder(config) as embedder:
        return (reindex if anew else warm)(registry.conn, embedder)


def prune_cache(
    config: Config, *, everything: bool = False, older_than_days: int | None = None
) -> int:
    """Delete vectors of other embedders than the one in use (`everything`: of all)."""
    with writing(config.database) as conn:
        if everything:
            return prune(conn, None)
        with _embedder(config) as embedder:
            return prune(conn, embedder.identity, older_than_days=older_than_days)


def similar_cases(
    config: Config, text_or_id: str, *, limit: int = 10, demonstration: bool = False
) -> list[SimilarText]:
    """Golden answers and inputs near a text, or near a case by its id, nearest first.

    Raises EmptySelectionError where there is no case to compare with.
    """
    if not text_or_id.strip():
        raise UsageError("an empty text is near to nothing", hint="give a text, or a case's id")
    with opened(config, demonstration=demonstration) as registry, _embedder(config) as embedder:
        return similar(registry.conn, embedder, text_or_id, limit)


@contextmanager
def _embedder(config: Config) -> Iterator[CachedEmbedder]:
    with open_embedder(config.settings.embedder, config.database) as embedder:
        if embedder is None:
            raise UsageError(
                "the configuration switches the embedder off", hint="set JW_EVAL_EMBEDDER to one"
            )
        yield embedder

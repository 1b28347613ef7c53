"""The store's embedding cache as an embedder sees it, fit for worker threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.domain.settings import EmbedderSettings
from jw_eval_store.judges.embedders.cache import CachedEmbedder
from jw_eval_store.judges.embedders.choose import choose_embedder
from jw_eval_store.judges.embedders.interface import Embedder
from jw_eval_store.store.connect import connect, transaction, writing
from jw_eval_store.store.embeddings import get_vectors, put_vectors

_PENDING = 256
"""Vectors held back before they are written, so that workers seldom wait for the write lock."""


class StoreCache:
    """Reads with a connection of its own each time; writes in batches, the rest at `flush`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._pending: dict[EmbedderIdentity, dict[str, bytes]] = {}

    def get_many(
        self, identity: EmbedderIdentity, text_hashes: Sequence[str]
    ) -> Mapping[str, bytes]:
        """The vectors that are pending or stored."""
        with self._lock:
            pending = self._pending.get(identity, {})
            found = {h: pending[h] for h in text_hashes if h in pending}
        missing = [h for h in text_hashes if h not in found]
        if missing:
            with closing(connect(self._path)) as conn:
                found |= get_vectors(conn, identity, missing)
        return found

    def put_many(self, identity: EmbedderIdentity, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors, and write them where many have gathered."""
        with self._lock:
            self._pending.setdefault(identity, {}).update(vectors)
            full = sum(map(len, self._pending.values())) >= _PENDING
        if full:
            self.flush()

    def flush(self) -> None:
        """Write what is pending. What was written stays readable all along."""
        with self._lock:
            if not any(self._pending.values()):
                return
            with writing(self._path) as conn, transaction(conn):
                for identity, vectors in self._pending.items():
                    put_vectors(conn, identity, vectors)
            self._pending = {}


@contextmanager
def open_embedder(
    settings: EmbedderSettings, path: Path, given: Embedder | None = None
) -> Iterator[CachedEmbedder | None]:
    """The embedder given or else configured, cached in the database file; none: switched off.

    Fresh vectors are stored at the end, also after an error; no transaction may be open then.
    Raises InfrastructureError or UsageError where there is no such embedder.
    """
    chosen = given or choose_embedder(settings)
    if chosen is None:
        yield None
        return
    cache = StoreCache(path)
    embedder = CachedEmbedder(chosen, cache)
    try:
        yield embedder
    finally:
        cache.flush()
        if given is None:
            embedder.close()

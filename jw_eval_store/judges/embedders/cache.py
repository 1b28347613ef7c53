"""Vectors are computed once per embedder and text; a second run computes none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.judges.embedders.interface import Embedder

if TYPE_CHECKING:
    from jw_eval_store.judges.embedders.interface import Vectors


class EmbeddingCache(Protocol):
    """Vectors as bytes (float32, little endian, unit length) by embedder and text hash."""

    def get_many(
        self, identity: EmbedderIdentity, text_hashes: Sequence[str]
    ) -> Mapping[str, bytes]:
        """The vectors that are there; may be called from several threads."""

    def put_many(self, identity: EmbedderIdentity, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors; those that are there already stay."""

    def flush(self) -> None:
        """See to it that what was kept can be read elsewhere."""


class MemoryCache:
    """A cache for one process."""

    def __init__(self) -> None:
        self._vectors: dict[tuple[str, str], bytes] = {}

    def get_many(
        self, identity: EmbedderIdentity, text_hashes: Sequence[str]
    ) -> Mapping[str, bytes]:
        """The vectors that are there."""
        keys = {text_hash: (identity.identity_hash, text_hash) for text_hash in text_hashes}
        return {h: self._vectors[key] for h, key in keys.items() if key in self._vectors}

    def put_many(self, identity: EmbedderIdentity, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors."""
        for text_hash, vector in vectors.items():
            self._vectors.setdefault((identity.identity_hash, text_hash), vector)

    def flush(self) -> None:
        """Nothing is held back."""


class CachedEmbedder(Embedder):
    """An embedder in front of which a cache stands. `computed` counts texts embedded anew."""

    def __init__(self, embedder: Embedder, cache: EmbeddingCache) -> None:
        self._embedder = embedder
        self._cache = cache
        self._counting = Lock()
        self.computed = 0

    @property
    def identity(self) -> EmbedderIdentity:
        """That of the embedder behind."""
        return self._embedder.identity

    def _raw(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        hashes = [content_hash(text) for text in texts]
        known = dict(self._cache.get_many(self.identity, list(dict.fromkeys(hashes))))
        missing = {h: t for h, t in zip(hashes, texts, strict=True) if h not in known}
        if missing:
            fresh = self._embedder.embed(list(missing.values())).astype("<f4")
            vectors = {h: row.tobytes() for h, row in zip(missing, fresh, strict=True)}
            self._cache.put_many(self.identity, vectors)
            known |= vectors
            with self._counting:
                self.computed += len(missing)
        return np.stack([np.frombuffer(known[h], dtype="<f4") for h in hashes])

    def flush(self) -> None:
        """Write what the cache holds back."""
        self._cache.flush()

    def close(self) -> None:
        """Let go of what the embedder behind holds."""
        self._embedder.close()

"""A text is embedded once; a second run, in another process, embeds nothing."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.judges.embedders.cache import CachedEmbedder, MemoryCache
from jw_eval_store.runs.embedding_cache import StoreCache
from jw_eval_store.store.connect import open_for_writing, reading, transaction, writing
from jw_eval_store.store.embeddings import cached_vectors, get_vectors, put_vectors
from tests.embeddings.fakes import DIMENSION, WordsEmbedder


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cache") / "new.db"
    open_for_writing(path).close()
    return path


@pytest.fixture
def db(empty: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(empty, tmp_path / "results.db"))


def test_a_text_is_computed_once() -> None:
    plain, cached = WordsEmbedder(), CachedEmbedder(WordsEmbedder(), MemoryCache())
    first = cached.embed(["uno", "dos", "uno"])
    assert cached.computed == 2
    assert np.array_equal(cached.embed(["dos", "uno"]), first[[1, 0]])
    assert cached.computed == 2
    assert np.allclose(first, plain.embed(["uno", "dos", "uno"]))


def test_vectors_of_two_embedders_are_kept_apart() -> None:
    cache = MemoryCache()
    CachedEmbedder(WordsEmbedder("one"), cache).embed(["uno"])
    other = CachedEmbedder(WordsEmbedder("other"), cache)
    other.embed(["uno"])
    assert other.computed == 1


def test_the_database_keeps_vectors_bit_by_bit(db: Path) -> None:
    cache = StoreCache(db)
    first = CachedEmbedder(WordsEmbedder(), cache)
    vectors = first.embed(["uno", "dos"])
    cache.flush()
    again = CachedEmbedder(WordsEmbedder(), StoreCache(db))
    assert again.embed(["uno", "dos"]).tobytes() == vectors.tobytes()
    assert (first.computed, again.computed) == (2, 0)
    with reading(db) as conn:
        (entry,) = cached_vectors(conn)
    assert (entry.texts, entry.size) == (2, 2 * 4 * DIMENSION)
    assert entry.identity == WordsEmbedder().identity


def test_pending_vectors_are_found_before_they_are_written(db: Path) -> None:
    cached = CachedEmbedder(WordsEmbedder(), StoreCache(db))
    cached.embed(["uno"])
    cached.embed(["uno"])
    assert cached.computed == 1
    with reading(db) as conn:
        assert list(cached_vectors(conn)) == []


def test_workers_share_the_cache(db: Path) -> None:
    cache = StoreCache(db)
    cached = CachedEmbedder(WordsEmbedder(), cache)
    texts = [f"texto {number}" for number in range(400)]

    def work(part: int) -> None:
        for start in range(part, 400, 40):
            cached.embed(texts[start : start + 20])

    threads = [threading.Thread(target=work, args=(part,)) for part in (0, 10, 20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cache.flush()
    hashes = [content_hash(text) for text in texts]
    with reading(db) as conn:
        assert len(get_vectors(conn, cached.identity, hashes)) == 400


def test_a_vector_that_is_there_stays(db: Path) -> None:
    identity = WordsEmbedder().identity
    with writing(db) as conn:
        for vector in (b"first", b"second"):
            with transaction(conn):
                put_vectors(conn, identity, {"sha256:1": vector})
        assert get_vectors(conn, identity, ["sha256:1", "sha256:2"]) == {"sha256:1": b"first"}


def test_many_hashes_are_asked_in_parts(db: Path) -> None:
    identity = WordsEmbedder().identity
    hashes = [f"sha256:{number}" for number in range(1234)]
    with writing(db) as conn:
        with transaction(conn):
            put_vectors(conn, identity, dict.fromkeys(hashes, b"v"))
        assert len(get_vectors(conn, identity, hashes)) == 1234

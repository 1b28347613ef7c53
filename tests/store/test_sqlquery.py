"""People's SQL: what is answered, what is blocked, and what errors say."""

from __future__ import annotations

import math
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jw_eval_store.domain.errors import InfrastructureError, JwEvalError, UsageError
from jw_eval_store.store import connect
from jw_eval_store.store.sqlquery import query

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT {} FROM n"


@pytest.fixture
def songs(db: Path) -> Path:
    """Three prompts to ask about."""
    with connect.writing(db) as connection:
        connection.executemany(
            "INSERT INTO prompt VALUES (?, ?, ?)",
            [(1, "sha256:1", "El Árbol"), (2, "sha256:2", "el arbol"), (3, "sha256:3", "otro")],
        )
    return db


def test_rows_come_with_their_columns(songs: Path) -> None:
    result = query(songs, "SELECT id, body FROM prompt WHERE id > :least ORDER BY 1", {"least": 1})
    assert result.columns == ("id", "body")
    assert result.rows == ((2, "el arbol"), (3, "otro"))
    assert not result.truncated


@pytest.mark.parametrize(
    ("limit", "count", "truncated"), [(2, 2, True), (3, 3, False), (9, 3, False)]
)
def test_a_limit_says_when_there_was_more(
    songs: Path, limit: int, count: int, truncated: bool
) -> None:
    result = query(songs, "SELECT id FROM prompt", row_limit=limit)
    assert (len(result.rows), result.truncated) == (count, truncated)


def test_no_limit_gives_all(songs: Path) -> None:
    result = query(songs, ENDLESS.format("x") + " LIMIT 5000", row_limit=None)
    assert len(result.rows) == 5000


def test_case_and_accents_can_be_left_out_of_a_search(songs: Path) -> None:
    sql = "SELECT count(*) FROM prompt WHERE {}(body) = {}(?)"
    assert query(songs, sql.format("normal", "normal"), ["EL ÁRBOL"]).rows == ((1,),)
    assert query(songs, sql.format("plain", "plain"), ["EL ÁRBOL"]).rows == ((2,),)
    assert query(songs, "SELECT normal(NULL), plain(7)").rows == ((None, 7),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "VALUES (1), (2)",
        "EXPLAIN QUERY PLAN SELECT * FROM v_case",
        "WITH c AS (SELECT case_id FROM v_case) SELECT count(*) FROM c",
        "SELECT * FROM json_each('[1]')",
    ],
)
def test_what_only_reads_is_answered(db: Path, sql: str) -> None:
    assert query(db, sql).columns


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM prompt",
        "INSERT INTO prompt VALUES (9, 'sha256:9', 'x') RETURNING id",
        "UPDATE prompt SET body = ''",
        "REPLACE INTO prompt VALUES (1, 'sha256:1', 'x')",
        "WITH c AS (SELECT 1) DELETE FROM prompt",
        "CREATE TABLE more (id INTEGER)",
        "CREATE TEMP TABLE more (id INTEGER)",
        "DROP VIEW v_case",
        "ALTER TABLE prompt RENAME TO more",
        "ATTACH 'more.db' AS more",
        "DETACH main",
        "PRAGMA query_only = OFF",
        "SELECT * FROM pragma_journal_mode",
        "VACUUM INTO 'more.db'",
        "BEGIN IMMEDIATE",
        "SELECT load_extension('more')",
        "REINDEX",
        "ANALYZE",
    ],
)
def test_what_could_write_is_blocked(
    songs: Path, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(songs.parent)
    before = songs.read_bytes()
    with pytest.raises(UsageError, match="only a SELECT is allowed here, and nothing was changed"):
        query(songs, sql)
    assert songs.read_bytes() == before
    assert not (songs.parent / "more.db").exists()


@pytest.mark.parametrize(
    ("sql", "message", "hint"),
    [
        (
            "SELECT *\nFRM v_case",
            'syntax error at line 2, column 1, near "FRM"',
            "did you mean from?",
        ),
        ("SELECT ) FROM x WHERE (1)", 'syntax error near ")"', "just before it"),
        ("SELECT 1 FROM v_trnd", "no such table: v_trnd", "did you mean v_trend?"),
        ("SELECT agnt FROM v_trend", "no such column: agnt", "did you mean agent?"),
        ("SELECT t.vrdict FROM v_result t", "no such column: t.vrdict", "did you mean verdict?"),
        ("SELECT zebra FROM v_trend", "no such column: zebra", "jw-eval sql --list"),
        ("SELECT (", "breaks off", "open bracket"),
        ("SELECT 1; SELECT 2", "more than one statement", "one by one"),
        ("", "no statement", "select * from v_case"),
        ("-- only this", "no statement", "select * from v_case"),
        ("SELECT :name", "name", "--param name=value"),
        ("SELECT nofn(1)", "no such function: nofn", "jw-eval sql --list"),
        ("SELECT zeroblob(500000000)", "too big", "jw-eval sql --list"),
    ],
)
def test_a_mistake_is_placed_and_corrected(db: Path, sql: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        query(db, sql)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


def test_a_query_that_takes_too_long_is_stopped(db: Path) -> None:
    started = time.monotonic()
    with pytest.raises(UsageError, match=r"took longer than 0\.2 s"):
        query(db, ENDLESS.format("max(x)"), seconds=0.2)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("seconds", [math.nan, math.inf, 0, -1])
def test_what_limits_no_time_is_refused(db: Path, seconds: float) -> None:
    with pytest.raises(UsageError, match="no limit of time"):
        query(db, "SELECT 1", seconds=seconds)


def test_trouble_with_the_file_is_not_the_querys_fault(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="does not exist"):
        query(tmp_path / "none.db", "SELECT 1")


WORDS = (
    *("select", "from", "where", "v_case", "v_trend", ",", "(", ")", "*", ";", "'", '"', "1", ":a"),
    *("?", "--", "/*", "attach", "delete", "pragma", "insert", "into", "values", "run", "."),
)


@settings(
    max_examples=150,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.text(max_size=40) | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_any_text_gives_rows_or_a_clear_error(db: Path, sql: str) -> None:
    before = db.read_bytes()
    outcome = None
    try:
        query(db, sql, seconds=2)
    except JwEvalError as error:
        outcome = error
    assert outcome is None or (outcome.exit_code == 2 and outcome.hint)
    assert db.read_bytes() == before

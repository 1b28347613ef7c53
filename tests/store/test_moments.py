"""What was written last holds, though the clock was ahead when an earlier row was written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jw_eval_store.domain.matching import EmbedderIdentity, ThresholdProfile
from jw_eval_store.store import connect
from jw_eval_store.store.labels import HumanLabel, labels_on, put_label
from jw_eval_store.store.profiles import newest_profile, put_profile
from jw_eval_store.store.runs import end_run, find_run, newest_run, recent_runs, start_run

AHEAD = "2999-12-31T23:59:59.999Z"


def finished_run(conn: connect.Connection) -> str:
    with connect.transaction(conn):
        run = start_run(conn, {}, bundled=False, git=None, tool_version="1", policy=None)
        end_run(conn, run.key, status="finished", gate="passed", exit_code=0, notices={})
    return run.ulid


def test_the_last_run_is_the_one_that_was_made_last(conn: connect.Connection) -> None:
    finished_run(conn)
    conn.execute("UPDATE run SET ulid = '02' || substr(ulid, 3)")
    made = [finished_run(conn), finished_run(conn)]
    assert find_run(conn, "last").ulid == made[-1]
    newest = newest_run(conn)
    assert newest is not None
    assert newest.ulid == made[-1]
    assert [run.ulid for run in recent_runs(conn, 2)] == made[::-1]


def test_the_last_calibration_is_in_force(conn: connect.Connection) -> None:
    embedder = EmbedderIdentity(backend="b", model="m", revision="1", dimension=2)
    lax = ThresholdProfile(embedder=embedder, reject=0.1, pass_at=0.8)
    strict = lax.model_copy(update={"pass_at": 0.9})
    for profile in (strict, lax):
        with connect.transaction(conn):
            put_profile(conn, profile)
        conn.execute("UPDATE threshold_profile SET created_at = ?", (AHEAD,))
    with connect.transaction(conn):
        put_profile(conn, strict)
    assert newest_profile(conn, embedder) == strict


def test_the_last_label_counts(db: Path, fill: Callable[[Path], dict[str, int]]) -> None:
    fill(db)
    with connect.writing(db) as conn, connect.transaction(conn):
        conn.execute("DELETE FROM human_label")
        put_label(conn, 1, HumanLabel("pass", "Ana", created_at=AHEAD))
        put_label(conn, 1, HumanLabel("fail", "Ana"))
        assert [label.verdict for label in labels_on(conn, 1)] == ["pass", "fail"]
        assert labels_on(conn, 1)[1].created_at == "3000-01-01T00:00:00.000Z"

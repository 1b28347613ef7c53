"""Runs in the store: a thin list of links to evaluations, and roll-ups when a run ends."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import canonical_json, json_hash
from jw_eval_store.store.connect import Connection, now
from jw_eval_store.store.moments import ulid_after
from jw_eval_store.store.rows import tuples

_MAY_ASK = 0x1000
"""Windows' PROCESS_QUERY_LIMITED_INFORMATION."""


@dataclass(frozen=True)
class RunRow:
    """A run as stored. `status` interrupted is also told from a process that is gone."""

    key: int
    ulid: str
    started_at: str
    finished_at: str | None
    status: str
    bundled: int
    selection: Mapping[str, Any]
    git_revision: str | None
    git_dirty: int | None
    tool_version: str
    gate: str | None
    exit_code: int | None
    notices: Mapping[str, Any]


_COLUMNS = (
    "id, ulid, started_at, finished_at, status, bundled, selection, git_revision, git_dirty, "
    "tool_version, gate, exit_code, notices, host, pid"
)


def start_run(
    conn: Connection,
    selection: Mapping[str, Any],
    *,
    bundled: bool,
    git: tuple[str, bool] | None,
    tool_version: str,
    policy: int | None,
    pid: int | None = None,
    notices: Mapping[str, Any] | None = None,
) -> RunRow:
    """A new run, status running; inside a transaction. `pid`: whose end interrupts it."""
    (newest,) = conn.execute("SELECT max(ulid) FROM run").fetchone()
    cursor = conn.execute(
        "INSERT INTO run (ulid, started_at, status, bundled, selection, git_revision, git_dirty,"
        " tool_version, host, pid, policy_id, notices)"
        " VALUES (?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (ulid_after(newest), now(), int(bundled), canonical_json(dict(selection)),
         git[0] if git else None, int(git[1]) if git else None, tool_version, platform.node(),
         pid or os.getpid(), policy, canonical_json(dict(notices or {}))),
    )  # fmt: skip
    return run_by_key(conn, int(cursor.lastrowid or 0))


def resume_run(conn: Connection, run: RunRow) -> None:
    """Take an interrupted run over; inside a transaction."""
    conn.execute(
        "UPDATE run SET status = 'running', finished_at = NULL, host = ?, pid = ? WHERE id = ?",
        (platform.node(), os.getpid(), run.key),
    )


def plan_results(conn: Connection, run: int, links: Iterable[tuple[int, int | None]]) -> None:
    """List what the run consists of: (case, reused evaluation or none). In a transaction."""
    conn.executemany(
        "INSERT INTO run_result (run_id, golden_case_id, evaluation_id) VALUES (?, ?, ?)",
        ((run, case, evaluation) for case, evaluation in links),
    )


def pending_cases(conn: Connection, run: int) -> set[int]:
    """Cases of a run that have no verdict yet."""
    sql = "SELECT golden_case_id FROM run_result WHERE run_id = ? AND evaluation_id IS NULL"
    return {row[0] for row in conn.execute(sql, (run,))}


def end_run(
    conn: Connection,
    run: int,
    *,
    status: str,
    gate: str,
    exit_code: int,
    notices: Mapping[str, Any],
    finished_at: str | None = None,
    rolled_up: bool = False,
) -> None:
    """Close a run (now, where no moment is given) and write its roll-ups; inside a transaction.

    `rolled_up`: they were just written, to be gated by.
    """
    conn.execute(
        "UPDATE run SET finished_at = ?, status = ?, gate = ?, exit_code = ?, notices = ?"
        " WHERE id = ?",
        (finished_at or now(), status, gate, exit_code, canonical_json(dict(notices)), run),
    )
    if not rolled_up:
        write_rollup(conn, run)


def write_rollup(conn: Connection, run: int) -> None:
    """Count a run's results per agent, layer and language, and note its cases; in a transaction.

    What the shards of a joined run made counts as fresh.
    """
    conn.execute("DELETE FROM rollup WHERE run_id = ?", (run,))
    conn.execute(
        """
        WITH own AS (
            SELECT :run AS id UNION ALL
            SELECT n.id FROM run m, json_each(m.selection, '$.shards') s JOIN run n
            ON n.ulid = s.value WHERE m.id = :run
        )
        INSERT INTO rollup (agent, run_id, layer, language, passed, failed, skipped, errors,
                            reused, score_sum, scored, duration_ms)
        SELECT r.agent, l.run_id, r.layer, r.language,
               sum(e.verdict IS 'pass'), sum(e.verdict IS 'fail'), sum(e.verdict IS 'skip'),
               sum(e.verdict IS 'error' OR e.id IS NULL),
               sum(e.run_id IS NOT NULL AND e.run_id NOT IN own), total(e.score), count(e.score),
               sum(iif(e.run_id IN own, e.duration_ms, 0))
        FROM run_result l
        JOIN golden_case g ON g.id = l.golden_case_id
        LEFT JOIN evaluation e ON e.id = l.evaluation_id
        JOIN case_revision r ON r.id = coalesce(e.revision_id, g.current_revision_id)
        WHERE l.run_id = :run GROUP BY r.agent, r.layer, r.language
        """,
        {"run": run},
    )
    _write_case_set(conn, run)


def _write_case_set(conn: Connection, run: int) -> None:
    """The address of a run's case ids: trends mark where it changed."""
    sql = """
        SELECT g.case_id FROM run_result l JOIN golden_case g ON g.id = l.golden_case_id
        WHERE l.run_id = ? ORDER BY g.case_id
    """
    digest = json_hash([case for (case,) in tuples(conn, sql, (run,))])
    conn.execute("UPDATE run SET case_set_hash = ? WHERE id = ?", (digest, run))


def mark_dead_runs(conn: Connection) -> None:
    """Mark runs of this machine whose process is gone as interrupted; inside a transaction."""
    rows = conn.execute(
        "SELECT id, pid FROM run WHERE status = 'running' AND host = ?", (platform.node(),)
    ).fetchall()
    for key, pid in rows:
        if not _alive(pid):
            conn.execute("UPDATE run SET status = 'interrupted' WHERE id = ?", (key,))


def running_here(conn: Connection) -> list[str]:
    """ULIDs of the runs that a living process of this machine is at."""
    rows = conn.execute(
        "SELECT ulid, pid FROM run WHERE status = 'running' AND host = ?", (platform.node(),)
    )
    return [ulid for ulid, pid in rows if _alive(pid)]


def _alive(pid: int) -> bool:
    """Whether a process of this machine still runs; one that can't be asked about does."""
    if sys.platform == "win32":  # there os.kill(pid, 0) is no question: it ends the process
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(_MAY_ASK, False, pid)
        return bool(handle and ctypes.windll.kernel32.CloseHandle(handle))
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OSError):
        return True
    return True


def _run(row: Sequence[Any]) -> RunRow:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    host, pid = values.pop("host"), values.pop("pid")
    if values["status"] == "running" and host == platform.node() and not _alive(pid):
        values["status"] = "interrupted"
    for name in ("selection", "notices"):
        values[name] = json.loads(values[name])
    return RunRow(key=values.pop("id"), **values)


def run_by_key(conn: Connection, key: int) -> RunRow:
    """The run with that local key."""
    return _run(conn.execute(f"SELECT {_COLUMNS} FROM run WHERE id = ?", (key,)).fetchone())


def recent_runs(conn: Connection, limit: int, *, bundled: bool | None = None) -> list[RunRow]:
    """The newest runs first."""
    where, values = ("WHERE bundled = ?", [int(bundled)]) if bundled is not None else ("", [])
    sql = f"SELECT {_COLUMNS} FROM run {where} ORDER BY ulid DESC LIMIT ?"
    return [_run(row) for row in conn.execute(sql, (*values, limit))]


def newest_run(conn: Connection) -> RunRow | None:
    """The run that was started last, whatever became of it; none in an empty store."""
    row = conn.execute(f"SELECT {_COLUMNS} FROM run ORDER BY ulid DESC LIMIT 1").fetchone()
    return _run(row) if row else None


def find_run(conn: Connection, name: str) -> RunRow:
    """A run by ULID, by a beginning of it that is unique, or `last` (newest finished).

    Raises UsageError for none or several.
    """
    if name == "last":
        where, value = "status = 'finished' AND ? IS NOT NULL", name
    else:
        where, value = "ulid LIKE ? || '%'", name.upper()
    sql = f"SELECT {_COLUMNS} FROM run WHERE {where} ORDER BY ulid DESC LIMIT 2"
    rows = conn.execute(sql, (value,)).fetchall() if value.isalnum() else []
    if not rows:
        raise UsageError(f"no run {name!r} in this store", hint="jw-eval runs list")
    if len(rows) > 1 and name != "last":
        raise UsageError(f"{name!r} begins several runs", hint="give more of its letters")
    return _run(rows[0])


def run_of_session(conn: Connection, session: str, since: str) -> RunRow | None:
    """The run that the processes of a session share, if one of them has begun it.

    Only runs of that moment and later are looked at, not all that the store has.
    """
    own = "started_at >= ? AND json_extract(selection, '$.session') = ?"
    sql = f"SELECT {_COLUMNS} FROM run WHERE {own}"
    row = conn.execute(sql, (since, session)).fetchone()
    return _run(row) if row else None


def run_exists(conn: Connection, ulid: str) -> bool:
    """Whether a run with exactly this ULID is stored."""
    return conn.execute("SELECT 1 FROM run WHERE ulid = ?", (ulid,)).fetchone() is not None


def runs_since(conn: Connection, moment: str) -> list[int]:
    """Keys of runs started at a moment (ISO 8601, UTC) or later."""
    return [r[0] for r in conn.execute("SELECT id FROM run WHERE started_at >= ?", (moment,))]


def runs_at_revisions(conn: Connection, revisions: Collection[str]) -> list[int]:
    """Keys of runs recorded at one of these commits, with an unchanged working folder."""
    rows = conn.execute("SELECT id, git_revision FROM run WHERE git_dirty = 0")
    return [key for key, revision in rows if revision in revisions]

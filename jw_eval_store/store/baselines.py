"""Baselines in the store: runs approved by name, appended and revoked, never changed."""

from __future__ import annotations

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.runs import RunRow, run_by_key


def approved_run(conn: Connection, name: str) -> RunRow | None:
    """The run that is the baseline of that name now: the newest approval not revoked."""
    row = conn.execute(
        "SELECT run_id FROM baseline WHERE name = ? AND revoked_at IS NULL ORDER BY id DESC",
        (name,),
    ).fetchone()
    return run_by_key(conn, row[0]) if row else None


def baseline_names(conn: Connection) -> list[str]:
    """Names in force."""
    sql = "SELECT DISTINCT name FROM baseline WHERE revoked_at IS NULL ORDER BY name"
    return [row[0] for row in conn.execute(sql)]

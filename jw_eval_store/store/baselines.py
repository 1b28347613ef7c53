"""Baselines in the store: runs approved by name, appended and revoked, never changed."""

from __future__ import annotations

from dataclasses import fields

from jw_eval_store.domain.baselines import Approval
from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.store.connect import Connection, now
from jw_eval_store.store.moments import ulid_after
from jw_eval_store.store.rows import tuples
from jw_eval_store.store.runs import RunRow, run_by_key

_IN_FORCE = "(SELECT max(x.ulid) FROM baseline x WHERE x.name = b.name AND x.revoked_at IS NULL)"
_APPROVALS = f"""
    SELECT b.ulid, b.name, n.ulid AS run, b.approved_at, b.approved_by, b.reason, b.forced,
           b.case_set_hash, b.judge,
           (SELECT total(u.passed) FROM rollup u WHERE u.run_id = n.id) AS passed,
           (SELECT total(u.failed) FROM rollup u WHERE u.run_id = n.id) AS failed,
           (SELECT total(u.errors) FROM rollup u WHERE u.run_id = n.id) AS errors,
           (SELECT total(u.skipped) FROM rollup u WHERE u.run_id = n.id) AS skipped,
           b.ulid IS {_IN_FORCE} AS in_force, b.revoked_at, b.revoked_by, b.revoke_reason
    FROM baseline b JOIN run n ON n.id = b.run_id
"""


def approved_run(conn: Connection, name: str) -> RunRow | None:
    """The run that is the baseline of that name now: the newest approval not revoked."""
    row = conn.execute(
        f"SELECT b.run_id FROM baseline b WHERE b.name = ? AND b.ulid = {_IN_FORCE}", (name,)
    ).fetchone()
    return run_by_key(conn, row[0]) if row else None


def baseline_names(conn: Connection) -> list[str]:
    """Names in force."""
    sql = "SELECT DISTINCT name FROM baseline WHERE revoked_at IS NULL ORDER BY name"
    return [row[0] for row in conn.execute(sql)]


def approvals(conn: Connection, name: str | None = None) -> list[Approval]:
    """All approvals, or those of a name, the newest first; revoked and replaced ones too."""
    where = "WHERE b.name = ?" if name else ""
    rows = conn.execute(f"{_APPROVALS} {where} ORDER BY b.ulid DESC", (name,) if name else ())
    return [_approval(dict(row)) for row in rows]


def _approval(row: dict[str, object]) -> Approval:
    counts = ("passed", "failed", "errors", "skipped")
    values = {field.name: row[field.name] for field in fields(Approval)}
    values |= {name: int(str(row[name]).partition(".")[0]) for name in counts}
    values |= {name: bool(row[name]) for name in ("forced", "in_force")}
    return Approval(**values)  # type: ignore[arg-type]  # the columns have the fields' types


def approve(
    conn: Connection, run: RunRow, name: str, *, author: str, reason: str, forced: bool
) -> str:
    """Make a run the baseline of that name; inside a transaction. Returns the approval's ULID."""
    (newest,) = conn.execute("SELECT max(ulid) FROM baseline WHERE name = ?", (name,)).fetchone()
    made = ulid_after(newest)
    conn.execute(
        "INSERT INTO baseline (ulid, name, run_id, approved_by, reason, forced, case_set_hash,"
        " approved_at, judge) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (made, name, run.key, author, reason, int(forced), _case_set_hash(conn, run.key), now(),
         run.notices.get("judge")),
    )  # fmt: skip
    return made


def revoke(conn: Connection, ulid: str, *, author: str, reason: str) -> None:
    """Take an approval back; it stays listed. Inside a transaction."""
    conn.execute(
        "UPDATE baseline SET revoked_at = ?, revoked_by = ?, revoke_reason = ? WHERE ulid = ?",
        (now(), author, reason, ulid),
    )


def _case_set_hash(conn: Connection, run: int) -> str:
    sql = """
        SELECT g.case_id, r.content_hash FROM run_result l
        JOIN golden_case g ON g.id = l.golden_case_id
        LEFT JOIN evaluation e ON e.id = l.evaluation_id
        JOIN case_revision r ON r.id = coalesce(e.revision_id, g.current_revision_id)
        WHERE l.run_id = ? ORDER BY g.case_id
    """
    return json_hash([list(row) for row in tuples(conn, sql, (run,))])

"""Remove the results of old runs and what only they used. Nothing else removes stored rows.

Kept in any case: runs that a baseline in force approves, runs that are not finished, every verdict
that a kept run reuses or people have labelled, and the newest verdict on every case's current
content, since the next run may reuse it. So is a failure that came after a kept pass with the very
same inputs: without it that pass would be reused. What then nothing refers to goes, too (see
`orphans`). The runs themselves and their roll-ups stay, so that lists and trends go on reaching
back; they are marked as pruned.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.store.connect import Connection, now, transaction, writing
from jw_eval_store.store.orphans import remove_orphans
from jw_eval_store.store.runs import running_here

_NEEDED = """
    CREATE TEMP TABLE needed AS
    SELECT l.evaluation_id AS id FROM run_result l
    WHERE l.run_id IN (SELECT id FROM run WHERE id NOT IN (SELECT id FROM temp.old_run))
      AND l.evaluation_id IS NOT NULL
    UNION SELECT evaluation_id FROM human_label
    UNION SELECT e.id FROM v_case c JOIN golden_case g ON g.case_id = c.case_id
    JOIN run n ON n.ulid = c.last_run
    CROSS JOIN evaluation e ON e.run_id = n.id AND e.golden_case_id = g.id
"""
_DISTRUST = """
    INSERT INTO temp.needed
    SELECT max(f.id) FROM temp.needed n JOIN evaluation p ON p.id = n.id
    JOIN case_revision r ON r.id = p.revision_id
    CROSS JOIN evaluation f ON f.golden_case_id = p.golden_case_id AND f.verdict <> 'pass'
    JOIN case_revision s ON s.id = f.revision_id
    WHERE p.verdict = 'pass' AND p.repeat = 0 AND f.repeat = 0 AND f.id > p.id
      AND f.setup_id = p.setup_id AND s.equivalent_id = r.equivalent_id
      AND f.evidence_set_id IS p.evidence_set_id AND f.recording_id IS p.recording_id
    GROUP BY p.id
"""
_OLD = """
    CREATE TEMP TABLE old_run AS SELECT n.id, n.ulid FROM run n
    WHERE n.status = 'finished' AND json_extract(n.notices, '$.pruned') IS NULL
      AND n.id NOT IN (SELECT b.run_id FROM baseline b WHERE b.ulid = (
          SELECT max(x.ulid) FROM baseline x WHERE x.name = b.name AND x.revoked_at IS NULL))
"""
_BUT_SINCE = "DELETE FROM temp.old_run WHERE id IN (SELECT id FROM run WHERE started_at >= ?)"
_BUT_NEWEST = """
    DELETE FROM temp.old_run WHERE id IN (
        SELECT id FROM run WHERE status = 'finished' ORDER BY ulid DESC LIMIT ?)
"""
_DELETE_RESULTS = "DELETE FROM run_result WHERE run_id IN (SELECT id FROM temp.old_run)"
_DELETE_VERDICTS = """
    DELETE FROM evaluation WHERE run_id IN (SELECT id FROM temp.old_run)
      AND id NOT IN (SELECT id FROM temp.needed)
"""


@dataclass(frozen=True)
class Keep:
    """Which runs keep their results: the newest so many, those started since a moment, or both."""

    newest: int | None = None
    since: str | None = None


@dataclass(frozen=True)
class Pruned:
    """What was removed, or would be: the runs that lost their results, and rows by table."""

    runs: tuple[str, ...]
    rows: dict[str, int] = field(default_factory=dict)


def prune(path: Path, keep: Keep, *, dry_run: bool) -> Pruned:
    """Remove the results of all runs that `keep` doesn't name. One transaction.

    Raises UsageError while a run is going on.
    A dry run does the same and takes it back, so that it says exactly what would go. The file
    becomes smaller only by `vacuum`.
    """
    with writing(path, make=False) as conn:
        conn.execute("PRAGMA foreign_keys = OFF")  # children go last; a check follows
        try:
            with transaction(conn):
                pruned = _prune(conn, keep)
                if dry_run:
                    raise _DryRunError(pruned)
        except _DryRunError as undone:
            return undone.pruned
    return pruned


class _DryRunError(Exception):
    def __init__(self, pruned: Pruned) -> None:
        super().__init__("dry run")
        self.pruned = pruned


def _prune(conn: Connection, keep: Keep) -> Pruned:
    if running := running_here(conn):
        raise UsageError(
            f"run {running[0]} is going on, and may need what would be pruned",
            hint="prune when it has ended",
        )
    conn.execute(_OLD)
    if keep.since is not None:
        conn.execute(_BUT_SINCE, (keep.since,))
    if keep.newest is not None:
        conn.execute(_BUT_NEWEST, (keep.newest,))
    runs = tuple(row[0] for row in conn.execute("SELECT ulid FROM temp.old_run ORDER BY ulid"))
    rows = _delete(conn) if runs else {}
    if conn.execute("PRAGMA foreign_key_check").fetchone():
        raise RuntimeError("pruning would leave references to rows that are gone; nothing was done")
    conn.execute("DROP TABLE temp.old_run")
    return Pruned(runs, {name: count for name, count in rows.items() if count})


def _delete(conn: Connection) -> dict[str, int]:
    conn.execute(_NEEDED)
    conn.execute(_DISTRUST)
    conn.execute("CREATE INDEX temp.needed_id ON needed (id)")
    rows = {
        "run_result": conn.execute(_DELETE_RESULTS).rowcount,
        "evaluation": conn.execute(_DELETE_VERDICTS).rowcount,
    }
    for table, count in remove_orphans(conn).items():
        rows[table] = rows.get(table, 0) + count
    conn.execute(
        "UPDATE run SET notices = json_set(notices, '$.pruned', ?)"
        " WHERE id IN (SELECT id FROM temp.old_run)",
        (now(),),
    )
    conn.execute("DROP TABLE temp.needed")
    return rows


def vacuum(path: Path) -> tuple[int, int]:
    """Give free pages back to the disk. Returns the bytes before and after."""
    with writing(path, make=False) as conn:
        before = path.stat().st_size
        conn.execute("VACUUM")
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return before, path.stat().st_size

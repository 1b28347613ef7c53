"""What depends on all rows: numbers of revisions, what is current, results of shared runs.

Each rule picks by content, never by the order in which files came.
"""

from __future__ import annotations

from collections.abc import Sequence

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.merging.tables import MERGED, Merged
from jw_eval_store.store.runs import write_rollup

_NUMBERS = """
    UPDATE case_revision SET number = ranked.number {sign} FROM (
        SELECT id, row_number() OVER (
            PARTITION BY golden_case_id ORDER BY created_at, source_hash) AS number
        FROM case_revision WHERE golden_case_id IN (SELECT new FROM temp.map_golden_case)
    ) AS ranked WHERE ranked.id = case_revision.id
"""
_EQUIVALENT = """
    UPDATE case_revision SET equivalent_id = (
        SELECT x.id FROM case_revision x
        WHERE x.golden_case_id = case_revision.golden_case_id
          AND x.content_hash = case_revision.content_hash ORDER BY x.number LIMIT 1)
    WHERE golden_case_id IN (SELECT new FROM temp.map_golden_case)
"""
_CURRENT_CASES = """
    UPDATE golden_case SET current_revision_id = newest.revision_id,
           archived_at = iif(newest.kind = 'archive', newest.at, NULL)
    FROM (
        SELECT golden_case_id, revision_id, kind, at FROM (
            SELECT e.golden_case_id, e.revision_id, e.kind, e.at, row_number() OVER (
                PARTITION BY e.golden_case_id ORDER BY e.at DESC, r.source_hash, e.kind) AS place
            FROM case_event e JOIN case_revision r ON r.id = e.revision_id
            WHERE e.golden_case_id IN (SELECT new FROM temp.map_golden_case))
        WHERE place = 1
    ) AS newest WHERE newest.golden_case_id = golden_case.id
"""
_FIRST_SEEN = """
    UPDATE golden_case SET created_at = min(golden_case.created_at, s.created_at)
    FROM src.golden_case s WHERE s.case_id = golden_case.case_id
"""
_CURRENT_PAGES = """
    UPDATE page SET current_snapshot_id = (
        SELECT n.id FROM snapshot n WHERE n.id IN (
            page.current_snapshot_id,
            (SELECT m.new FROM src.page s JOIN temp.map_snapshot m ON m.old = s.current_snapshot_id
             WHERE s.fetch_key = page.fetch_key))
        ORDER BY n.captured_at DESC, n.snapshot_hash LIMIT 1)
    WHERE id IN (SELECT new FROM temp.map_page)
"""
_CURRENT_RECORDINGS = """
    UPDATE current_recording SET recording_id = n.recording_id, recorded_at = n.recorded_at
    FROM (SELECT g.new AS golden_case_id, s.agent, r.new AS recording_id, s.recorded_at
          FROM src.current_recording s JOIN temp.map_golden_case g ON g.old = s.golden_case_id
          JOIN temp.map_recording r ON r.old = s.recording_id) AS n
    WHERE n.golden_case_id = current_recording.golden_case_id AND n.agent = current_recording.agent
      AND n.recorded_at > current_recording.recorded_at
"""
_ENDED_RUNS = """
    UPDATE run SET status = s.status, finished_at = s.finished_at, gate = s.gate,
           exit_code = s.exit_code, notices = s.notices, case_set_hash = s.case_set_hash
    FROM src.run s WHERE s.ulid = run.ulid AND s.status = 'finished' AND run.status <> 'finished'
"""
_LATE_RESULTS = """
    UPDATE run_result SET evaluation_id = e.new
    FROM src.run_result s JOIN temp.map_run r ON r.old = s.run_id
    JOIN temp.map_golden_case g ON g.old = s.golden_case_id
    JOIN temp.map_evaluation e ON e.old = s.evaluation_id
    WHERE run_result.run_id = r.new AND run_result.golden_case_id = g.new
      AND run_result.evaluation_id IS NULL
"""
_REVOKED = """
    UPDATE baseline SET revoked_at = s.revoked_at, revoked_by = s.revoked_by,
           revoke_reason = s.revoke_reason
    FROM src.baseline s WHERE s.ulid = baseline.ulid AND s.revoked_at IS NOT NULL
      AND (baseline.revoked_at IS NULL OR baseline.revoked_at > s.revoked_at)
"""
_SRC_USED = "SELECT 1 FROM src.agent_used_file u WHERE u.agent_fingerprint_id = s.id"
_USED = "SELECT 1 FROM main.agent_used_file u WHERE u.agent_fingerprint_id = t.id"
_DEPENDS_ON_ALL = f"""
    SELECT t.id FROM src.agent_fingerprint s JOIN main.agent_fingerprint t USING (fingerprint_hash)
    WHERE NOT EXISTS ({_SRC_USED}) OR NOT EXISTS ({_USED})
"""
_SHARED = "SELECT n.id FROM src.run s JOIN run n ON n.ulid = s.ulid WHERE n.id <= ?"


def dependent_on_all(conn: Connection) -> list[int]:
    """Fingerprints in both files whose answers, in one of them, depended on all of their files.

    Asked before rows are copied: the other file's list of used files says too little then.
    """
    return [key for (key,) in conn.execute(_DEPENDS_ON_ALL)]


def settle(conn: Connection, last_run: int, dependent: Sequence[int]) -> None:
    """After the rows of `src` were copied.

    `last_run` is the newest key of a run before that, `dependent` what `dependent_on_all` found.
    """
    renewed = {table.name for table in MERGED if _take(conn, table, table.first, "<")}
    for table in MERGED:
        _take(conn, table, table.last, ">")
    unnumbered = "SELECT 1 FROM case_revision WHERE number < 0 LIMIT 1"
    if "case_revision" in renewed or conn.execute(unnumbered).fetchone():
        conn.execute(_NUMBERS.format(sign="- 2000000000"))
        conn.execute(_NUMBERS.format(sign=""))
    for statement in (_EQUIVALENT, _CURRENT_CASES, _FIRST_SEEN, _CURRENT_PAGES,
                      _CURRENT_RECORDINGS, _ENDED_RUNS, _LATE_RESULTS, _REVOKED):  # fmt: skip
        conn.execute(statement)
    conn.executemany(
        "DELETE FROM agent_used_file WHERE agent_fingerprint_id = ?", [(k,) for k in dependent]
    )
    for (run,) in conn.execute(_SHARED, (last_run,)).fetchall():
        write_rollup(conn, run)


def _take(conn: Connection, table: Merged, columns: Sequence[str], order: str) -> bool:
    """Whether a row of `src` was older (`<`) than the one here, or newer (`>`).

    The one here then says in these columns what that one says.
    """
    if not columns:
        return False
    name = table.name
    taken = conn.execute(
        f"UPDATE main.{name} SET {', '.join(f'{c} = s.{c}' for c in columns)}"
        f" FROM src.{name} s JOIN temp.map_{name} m ON m.old = s.id"
        f" WHERE m.new = {name}.id AND ({', '.join(f's.{c}' for c in columns)})"
        f" {order} ({', '.join(f'{name}.{c}' for c in columns)})"
    )
    return taken.rowcount > 0

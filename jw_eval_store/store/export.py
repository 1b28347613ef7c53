"""Results as plain rows, a month at a time, for files that other programs read."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples

COLUMNS: dict[str, str] = {
    "run": "string", "started_at": "timestamp", "case_id": "string", "agent": "string",
    "layer": "string", "language": "string", "topic": "string", "revision": "integer",
    "verdict": "string", "reason_code": "string", "score": "real", "reused": "boolean",
    "made_in": "string", "duration_ms": "integer", "bundled": "boolean",
    "git_revision": "string", "case_hash": "string", "agent_hash": "string",
    "evidence_hash": "string", "embedder_hash": "string", "judge_hash": "string",
}  # fmt: skip
"""Column -> kind of value, in order. `started_at` is text in ISO 8601, UTC."""

_RESULTS = """
    SELECT n.ulid, n.started_at, g.case_id, r.agent, r.layer, r.language, r.topic, r.number,
           e.verdict, iif(e.id IS NULL, 'not_run', e.reason_code), e.score,
           e.run_id <> l.run_id, m.ulid, e.duration_ms, n.bundled, n.git_revision,
           r.content_hash, f.fingerprint_hash, v.set_hash, b.identity_hash, j.identity_hash
    FROM run n
    CROSS JOIN run_result l ON l.run_id = n.id
    JOIN golden_case g ON g.id = l.golden_case_id
    LEFT JOIN evaluation e ON e.id = l.evaluation_id
    JOIN case_revision r ON r.id = coalesce(e.revision_id, g.current_revision_id)
    LEFT JOIN run m ON m.id = e.run_id
    LEFT JOIN setup s ON s.id = e.setup_id
    LEFT JOIN agent_fingerprint f ON f.id = s.agent_fingerprint_id
    LEFT JOIN evidence_set v ON v.id = e.evidence_set_id
    LEFT JOIN embedder b ON b.id = s.embedder_id
    LEFT JOIN judge j ON j.id = s.judge_id
    WHERE n.started_at >= :month AND n.started_at < :month || '~' ORDER BY n.id
"""


def months(conn: Connection) -> list[str]:
    """Months in which runs started, as `2026-05`, oldest first."""
    sql = "SELECT DISTINCT substr(started_at, 1, 7) FROM run ORDER BY 1"
    return [month for (month,) in tuples(conn, sql)]


def results_of_month(conn: Connection, month: str) -> Iterator[tuple[object, ...]]:
    """All results of the runs that started in a month, in the order of `COLUMNS`."""
    return tuples(conn, _RESULTS, {"month": month})


def pruned_months(conn: Connection) -> set[str]:
    """Months of which runs have lost their results since."""
    sql = """
        SELECT DISTINCT substr(started_at, 1, 7) FROM run
        WHERE json_extract(notices, '$.pruned') IS NOT NULL
    """
    return {month for (month,) in tuples(conn, sql)}

"""Cases that a run judged several times, and not always alike."""

from __future__ import annotations

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


def wavering_cases(conn: Connection, run: int) -> list[str]:
    """Ids of a run's cases whose repeats got different verdicts."""
    sql = """
        SELECT g.case_id FROM evaluation e JOIN golden_case g ON g.id = e.golden_case_id
        WHERE e.run_id = ? GROUP BY g.case_id
        HAVING count(*) > 1 AND min(e.verdict) <> max(e.verdict) ORDER BY g.case_id
    """
    return [case for (case,) in tuples(conn, sql, (run,))]

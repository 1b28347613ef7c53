"""Keys of runs and verdicts in the order of their runs' time, whatever order files came in.

The newest verdict on a case is the one with the highest key: what a run reuses, and what explains
it, rests on that. A file that brings older runs than those already there would break it.
"""

from __future__ import annotations

from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.merging.tables import MERGED, shape_of

# A run whose key, or whose first verdict's, is below one of an earlier run.
_FIRST_OUT_OF_ORDER = """
    SELECT min(ulid) FROM (
        SELECT n.ulid, n.id < max(n.id) OVER before OR s.low < max(s.high) OVER before AS wrong
        FROM run n LEFT JOIN (
            SELECT run_id, min(id) AS low, max(id) AS high FROM evaluation GROUP BY run_id
        ) s ON s.run_id = n.id
        WINDOW before AS (ORDER BY n.ulid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ) WHERE wrong
"""
_NEW_KEYS = {
    "run": "SELECT id, (SELECT max(id) FROM run) + row_number() OVER (ORDER BY ulid)"
    " FROM run WHERE ulid >= ?",
    "evaluation": "SELECT e.id, (SELECT max(id) FROM evaluation)"
    " + row_number() OVER (ORDER BY n.ulid, e.id)"
    " FROM evaluation e JOIN run n ON n.id = e.run_id WHERE n.ulid >= ?",
}


def order_by_time(conn: Connection) -> None:
    """Give new keys to all that comes after the first run that is out of order; one transaction.

    References are checked at the end and not at each row: that would search all results a row.
    """
    (first,) = conn.execute(_FIRST_OUT_OF_ORDER).fetchone()
    if first is None:
        return
    conn.execute("PRAGMA foreign_keys = OFF")
    try:
        with transaction(conn):
            _renumber(conn, first)
    finally:
        conn.execute("PRAGMA foreign_keys = ON")


def _renumber(conn: Connection, first: str) -> None:
    for table, sql in _NEW_KEYS.items():
        conn.execute(f"DROP TABLE IF EXISTS temp.moved_{table}")
        conn.execute(f"CREATE TEMP TABLE moved_{table} (old INTEGER PRIMARY KEY, new INTEGER)")
        conn.execute(f"INSERT INTO temp.moved_{table} {sql}", (first,))
    touched = {*_NEW_KEYS}
    for table in _NEW_KEYS:
        _replace(conn, table, "id", table)
    for merged in MERGED:
        for column, target in shape_of(conn, merged.name).references.items():
            if target in _NEW_KEYS:
                _replace(conn, merged.name, column, target)
                touched.add(merged.name)
    for table in touched:
        if conn.execute("SELECT 1 FROM pragma_foreign_key_check(?)", (table,)).fetchone():
            raise RuntimeError(f"a reference of {table} was lost while keys were put in order")


def _replace(conn: Connection, table: str, column: str, target: str) -> None:
    conn.execute(
        f"UPDATE main.{table} SET {column} = m.new FROM temp.moved_{target} m"
        f" WHERE m.old = {table}.{column}"
    )

"""Which earlier verdicts still hold: one SQL join over integer keys, no hashing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


class Wanted(NamedTuple):
    """A case to be judged: its key, current revision, equivalent revision, setup, recording."""

    case: int
    revision: int
    equivalent: int
    setup: int
    recording: int | None = None


class Earlier(NamedTuple):
    """The newest earlier evaluation with the same inputs."""

    case: int
    evaluation: int
    verdict: str
    run: int


_STALE_EVIDENCE = """
    SELECT 1 FROM revision_citation c
    JOIN page p ON p.id = c.page_id
    LEFT JOIN snapshot n ON n.id = p.current_snapshot_id
    LEFT JOIN evidence_set_item i
           ON i.evidence_set_id = e.evidence_set_id AND i.page_id = c.page_id
    WHERE c.revision_id = w.revision_id
      AND (i.evidence_id IS NOT n.evidence_id OR i.origin IS NOT n.origin)
"""

_NEWEST_WITH_SAME_INPUTS = f"""
    SELECT w.golden_case_id, max(e.id)
    FROM wanted w
    JOIN evaluation e ON e.golden_case_id = w.golden_case_id
    JOIN case_revision r ON r.id = e.revision_id
    WHERE e.setup_id = w.setup_id AND r.equivalent_id = w.equivalent_id AND e.repeat = 0
      AND e.recording_id IS w.recording_id
      AND (:all_runs OR e.run_id IN (SELECT run_id FROM wanted_run))
      AND NOT EXISTS ({_STALE_EVIDENCE})
    GROUP BY w.golden_case_id
"""


def earlier_evaluations(
    conn: Connection, wanted: Iterable[Wanted], runs: Collection[int] | None
) -> dict[int, Earlier]:
    """By case: the newest evaluation whose inputs are all what they are now.

    `runs` limits from which runs; none: all. A case that is missing has no such evaluation.
    """
    _fill(conn, wanted, runs)
    sql = f"""
        WITH newest(golden_case_id, id) AS ({_NEWEST_WITH_SAME_INPUTS})
        SELECT newest.golden_case_id, e.id, e.verdict, e.run_id
        FROM newest JOIN evaluation e ON e.id = newest.id
    """
    rows = tuples(conn, sql, {"all_runs": runs is None})
    return {row[0]: Earlier._make(row) for row in rows}


def _fill(conn: Connection, wanted: Iterable[Wanted], runs: Collection[int] | None) -> None:
    conn.execute("DROP TABLE IF EXISTS temp.wanted")
    conn.execute("DROP TABLE IF EXISTS temp.wanted_run")
    conn.execute(
        "CREATE TEMP TABLE wanted (golden_case_id INTEGER PRIMARY KEY, revision_id INTEGER,"
        " equivalent_id INTEGER, setup_id INTEGER, recording_id INTEGER)"
    )
    conn.execute("CREATE TEMP TABLE wanted_run (run_id INTEGER PRIMARY KEY)")
    conn.executemany(
        "INSERT INTO wanted VALUES (?, ?, ?, ?, ?)",
        wanted,
    )
    conn.executemany("INSERT INTO wanted_run VALUES (?)", ((run,) for run in runs or ()))


class LastInputs(NamedTuple):
    """Keys that went into a case's newest evaluation, to say what has changed since."""

    case: int
    evaluation: int
    equivalent: int
    setup: int
    evidence_set: int | None
    recording: int | None
    verdict: str


def last_inputs(conn: Connection, cases: Iterable[int]) -> dict[int, LastInputs]:
    """By case: the inputs of its newest evaluation, whatever they were."""
    sql = """
        SELECT e.golden_case_id, e.id, r.equivalent_id, e.setup_id, e.evidence_set_id,
               e.recording_id, e.verdict
        FROM evaluation e JOIN case_revision r ON r.id = e.revision_id
        WHERE e.id = (SELECT max(id) FROM evaluation WHERE golden_case_id = ? AND repeat = 0)
    """
    found = (conn.execute(sql, (case,)).fetchone() for case in cases)
    return {row[0]: LastInputs(*row) for row in found if row}

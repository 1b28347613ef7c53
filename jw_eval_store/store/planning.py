"""Which earlier verdicts still hold: a few SQL joins over integer keys, no hashing.

Works on `selected` (see there). The plan is a temporary table, too, so that a run of which ten
cases changed costs ten cases, and not what is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from jw_eval_store.domain.cases import Layer
from jw_eval_store.store.cases import CASE_COLUMNS, CaseRow
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


class SetupKey(NamedTuple):
    """What tells setups apart; `variant` is JSON of an L3 case's judge, `bundled`, or empty."""

    agent: str
    layer: Layer
    variant: str


class Choice(NamedTuple):
    """The setup that holds now, and whether results made with it may be reused at all."""

    setup: int
    reusable: bool


class Planned(NamedTuple):
    """A case that must be asked, its setup, and the recording to replay."""

    case: CaseRow
    setup: int
    recording: int | None = None


_PLANNED = """
    CREATE TEMP TABLE planned AS
    SELECT s.golden_case_id, s.revision_id, s.equivalent_id, c.setup_id, c.reusable,
           n.recording_id, NULL AS evaluation_id
    FROM temp.selected s JOIN temp.choice c USING (agent, layer, variant)
    LEFT JOIN current_recording n ON n.golden_case_id = s.golden_case_id AND n.agent = s.agent
"""

_STALE_EVIDENCE = """
    SELECT 1 FROM revision_citation c
    JOIN page p ON p.id = c.page_id
    LEFT JOIN snapshot n ON n.id = p.current_snapshot_id
    LEFT JOIN evidence_set_item i
           ON i.evidence_set_id = e.evidence_set_id AND i.page_id = c.page_id
    WHERE c.revision_id = w.revision_id
      AND (i.evidence_id IS NOT n.evidence_id OR i.origin IS NOT n.origin)
"""

# The newest evaluation with the same inputs is reused if it passed. Not the newest pass: inputs
# that failed since are not to be trusted. CROSS JOIN: for each case its few verdicts by this setup;
# SQLite takes a temporary table for a large one, and would read all verdicts ever made instead.
_REUSE = f"""
    WITH newest(golden_case_id, id) AS (
        SELECT w.golden_case_id, max(e.id)
        FROM temp.planned w
        CROSS JOIN evaluation e ON e.golden_case_id = w.golden_case_id AND e.setup_id = w.setup_id
        JOIN case_revision r ON r.id = e.revision_id
        WHERE w.reusable AND r.equivalent_id = w.equivalent_id
          AND e.repeat = 0 AND e.recording_id IS w.recording_id
          AND (:all_runs OR e.run_id IN (SELECT run_id FROM temp.allowed))
          AND NOT EXISTS ({_STALE_EVIDENCE})
        GROUP BY w.golden_case_id
    )
    UPDATE temp.planned SET evaluation_id = e.id
    FROM newest JOIN evaluation e ON e.id = newest.id
    WHERE planned.golden_case_id = newest.golden_case_id AND e.verdict = 'pass'
"""


_KEEP = """
    UPDATE temp.planned SET evaluation_id = l.evaluation_id FROM run_result l
    WHERE l.run_id = ? AND l.golden_case_id = planned.golden_case_id
"""

_OUTDATED = f"""
    SELECT g.case_id FROM temp.planned w JOIN evaluation e ON e.id = w.evaluation_id
    JOIN case_revision r ON r.id = e.revision_id JOIN golden_case g ON g.id = w.golden_case_id
    WHERE e.setup_id <> w.setup_id OR r.equivalent_id <> w.equivalent_id
       OR e.recording_id IS NOT w.recording_id OR EXISTS ({_STALE_EVIDENCE})
    ORDER BY g.case_id
"""


def setup_keys(conn: Connection) -> list[SetupKey]:
    """What the selected cases need setups for."""
    sql = "SELECT DISTINCT agent, layer, variant FROM temp.selected ORDER BY 1, 2, 3"
    return [SetupKey(*row) for row in conn.execute(sql)]


def plan_selected(conn: Connection, choices: Mapping[SetupKey, Choice]) -> None:
    """Plan to ask every selected case, with the setup that holds now; inside a transaction."""
    for table in ("choice", "planned"):
        conn.execute(f"DROP TABLE IF EXISTS temp.{table}")
    conn.execute(
        "CREATE TEMP TABLE choice (agent TEXT, layer TEXT, variant TEXT, setup_id INTEGER,"
        " reusable INTEGER, PRIMARY KEY (agent, layer, variant))"
    )
    conn.executemany(
        "INSERT INTO temp.choice VALUES (?, ?, ?, ?, ?)",
        [(*key, choice.setup, int(choice.reusable)) for key, choice in choices.items()],
    )
    conn.execute(_PLANNED)
    conn.execute("CREATE UNIQUE INDEX temp.planned_case ON planned (golden_case_id)")


def reuse_earlier(conn: Connection, runs: Collection[int] | None) -> None:
    """Plan to reuse what still holds, of these runs (none: of all); inside a transaction.

    A verdict is reused where all its inputs are unchanged, and the newest one with these inputs is
    a pass: never a failure or an error.
    """
    conn.execute("DROP TABLE IF EXISTS temp.allowed")
    conn.execute("CREATE TEMP TABLE allowed (run_id INTEGER PRIMARY KEY)")
    conn.executemany("INSERT INTO temp.allowed VALUES (?)", ((run,) for run in runs or ()))
    conn.execute(_REUSE, {"all_runs": runs is None})


def keep_decided(conn: Connection, run: int) -> list[str]:
    """Plan to ask only what an interrupted run has not judged; inside a transaction.

    Gives the ids of its cases whose verdicts no longer hold, since their inputs have changed.
    """
    conn.execute(_KEEP, (run,))
    return [row[0] for row in tuples(conn, _OUTDATED)]


def link_planned(conn: Connection, run: int) -> None:
    """List what a run consists of: reused verdicts, and cases still to be run. In a transaction."""
    conn.execute(
        "INSERT INTO run_result (run_id, golden_case_id, evaluation_id)"
        " SELECT ?, golden_case_id, evaluation_id FROM temp.planned",
        (run,),
    )


def planned_counts(conn: Connection) -> tuple[int, int]:
    """How many cases are to be run, and how many verdicts are reused."""
    sql = "SELECT count(*) - count(evaluation_id), count(evaluation_id) FROM temp.planned"
    stale, reused = conn.execute(sql).fetchone()
    return stale, reused


def planned_stale(conn: Connection) -> list[Planned]:
    """The cases that must be asked, by id."""
    sql = f"""
        SELECT {CASE_COLUMNS}, w.setup_id, w.recording_id
        FROM temp.planned w JOIN golden_case g ON g.id = w.golden_case_id
        JOIN case_revision r ON r.id = w.revision_id
        WHERE w.evaluation_id IS NULL ORDER BY g.case_id
    """
    return [
        Planned(CaseRow._make(row[:-2]), setup=row[-2], recording=row[-1])
        for row in tuples(conn, sql)
    ]


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

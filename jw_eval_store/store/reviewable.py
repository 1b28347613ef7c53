"""Verdicts that a person may look at, the ones most in need of it first."""

from __future__ import annotations

from typing import NamedTuple

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


class Reviewable(NamedTuple):
    """One L3 verdict with the output it is about. `input`, `reasons` and `output` are JSON."""

    case_id: str
    run: str
    verdict: str
    reason_code: str | None
    score: float | None
    reasons: str | None
    input: str
    golden_answer: str
    output: str
    labels: int


_NEWEST_RUN = """
    SELECT e.run_id FROM evaluation e JOIN setup s ON s.id = e.setup_id AND s.layer = 'l3'
    ORDER BY e.id DESC LIMIT 1
"""

_REVIEWABLE = """
    SELECT g.case_id, n.ulid, e.verdict, e.reason_code, e.score,
           json_extract(e.detail, '$.reasons'), json_extract(r.definition, '$.input'),
           json_extract(r.definition, '$.expected.golden_answer'),
           o.body,
           (SELECT count(DISTINCT h.author) FROM human_label h
            WHERE h.evaluation_id = e.id AND h.node IS NULL) AS labels
    FROM run_result l
    JOIN evaluation e ON e.id = l.evaluation_id
    JOIN setup s ON s.id = e.setup_id AND s.layer = 'l3'
    JOIN run n ON n.id = l.run_id
    JOIN golden_case g ON g.id = l.golden_case_id
    JOIN case_revision r ON r.id = e.revision_id
    JOIN output o ON o.id = e.output_id
    WHERE l.run_id = :run
    ORDER BY labels > 0, e.reason_code IS NOT 'judges_disagree', e.verdict <> 'error',
             (SELECT min(j.margin) FROM judge_step j WHERE j.evaluation_id = e.id
              AND j.model <> '') IS NULL,
             (SELECT min(j.margin) FROM judge_step j WHERE j.evaluation_id = e.id
              AND j.model <> ''),
             g.case_id
"""


def reviewable(conn: Connection, run: int | None) -> list[Reviewable]:
    """L3 verdicts of a run (none: the newest that made one) whose agent gave an answer."""
    if run is None:
        row = conn.execute(_NEWEST_RUN).fetchone()
        run = row[0] if row else -1
    return [Reviewable(*row) for row in tuples(conn, _REVIEWABLE, {"run": run})]

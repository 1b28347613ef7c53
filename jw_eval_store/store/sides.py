"""A run as one side of a comparison: what is compared of each result, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jw_eval_store.domain.comparisons import StoredResult
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.results import setup_inputs
from jw_eval_store.store.rows import tuples

_SIDE = """
    SELECT g.case_id, r.agent, r.layer, r.language, r.topic, coalesce(e.verdict, 'error'), e.score,
           r.content_hash, e.setup_id, s.set_hash, c.content_hash
    FROM run_result l
    JOIN golden_case g ON g.id = l.golden_case_id
    LEFT JOIN evaluation e ON e.id = l.evaluation_id
    JOIN case_revision r ON r.id = coalesce(e.revision_id, g.current_revision_id)
    LEFT JOIN evidence_set s ON s.id = e.evidence_set_id
    LEFT JOIN recording c ON c.id = e.recording_id
    WHERE l.run_id = ?
"""


def results_to_compare(conn: Connection, run: int) -> tuple[StoredResult, ...]:
    """A run's results; what was never judged is an error."""
    rows = list(tuples(conn, _SIDE, (run,)))
    setups = setup_inputs(conn, (row[8] for row in rows if row[8] is not None))
    return tuple(_result(row, setups) for row in rows)


def _result(row: tuple[Any, ...], setups: Mapping[int, Mapping[str, str]]) -> StoredResult:
    case_id, agent, layer, language, topic, verdict, score, case, setup, evidence, recording = row
    inputs = _inputs(case, setups.get(setup, {}), evidence, recording)
    return StoredResult(case_id, agent, layer, language, topic, verdict, score, inputs)


def _inputs(
    case: str, setup: Mapping[str, str], evidence: str | None, recording: str | None
) -> dict[str, str]:
    inputs = {"case": case, **setup}
    if evidence:
        inputs["evidence"] = evidence
    if recording:
        inputs["recording"] = recording
    return inputs

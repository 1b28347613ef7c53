"""One case's evaluations as they are taken apart: steps, labels of what went in, the past."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.results import setup_inputs
from jw_eval_store.store.runs import RunRow, run_by_key

if TYPE_CHECKING:
    from jw_eval_store.domain.evaluations import JudgeStep


@dataclass(frozen=True)
class PastEvaluation:
    """An evaluation of a case with the natural keys of what went in."""

    run: str
    started_at: str
    verdict: str
    score: float | None
    inputs: dict[str, str]


def case_key(conn: Connection, case_id: str) -> int | None:
    """Local key of a case, archived ones too; none where there is no such case."""
    row = conn.execute("SELECT id FROM golden_case WHERE case_id = ?", (case_id,)).fetchone()
    return int(row[0]) if row else None


def case_ids(conn: Connection) -> list[str]:
    """All ids, to suggest what was meant."""
    return [row[0] for row in conn.execute("SELECT case_id FROM golden_case")]


def asked_and_source(conn: Connection, revision: int) -> tuple[dict[str, Any], str]:
    """A revision's input, and the revision as YAML."""
    sql = "SELECT json_extract(definition, '$.input'), source FROM case_revision WHERE id = ?"
    asked, source = conn.execute(sql, (revision,)).fetchone()
    return json.loads(asked), source


def golden_answer_of(conn: Connection, revision: int) -> str:
    """A revision's golden answer; empty where it has none."""
    sql = (
        "SELECT coalesce(json_extract(definition, '$.expected.golden_answer'), '')"
        " FROM case_revision WHERE id = ?"
    )
    return str(conn.execute(sql, (revision,)).fetchone()[0])


def output_of(conn: Connection, evaluation: int) -> dict[str, Any] | None:
    """What the agent returned, as JSON; none: nothing."""
    sql = "SELECT o.body FROM evaluation e JOIN output o ON o.id = e.output_id WHERE e.id = ?"
    row = conn.execute(sql, (evaluation,)).fetchone()
    found: dict[str, Any] | None = json.loads(row[0]) if row else None
    return found


def run_with_case(conn: Connection, case: int) -> RunRow | None:
    """The newest run that made a verdict on the case."""
    sql = """
        SELECT e.run_id FROM evaluation e JOIN run n ON n.id = e.run_id
        WHERE e.golden_case_id = ? ORDER BY n.ulid DESC LIMIT 1
    """
    row = conn.execute(sql, (case,)).fetchone()
    return run_by_key(conn, row[0]) if row else None


def past_evaluations(conn: Connection, case: int, limit: int) -> list[PastEvaluation]:
    """A case's evaluations, newest first."""
    sql = """
        SELECT n.ulid, n.started_at, e.verdict, e.score, e.setup_id, r.content_hash, s.set_hash,
               c.content_hash
        FROM evaluation e JOIN run n ON n.id = e.run_id
        JOIN case_revision r ON r.id = e.revision_id
        LEFT JOIN evidence_set s ON s.id = e.evidence_set_id
        LEFT JOIN recording c ON c.id = e.recording_id
        WHERE e.golden_case_id = ? AND e.repeat = 0 ORDER BY n.ulid DESC LIMIT ?
    """
    rows = conn.execute(sql, (case, limit)).fetchall()
    setups = setup_inputs(conn, (row[4] for row in rows))
    return [_past(tuple(row), setups[row[4]]) for row in rows]


def _past(row: tuple[str, str, str, float | None, int, str, str | None, str | None],
          setup: dict[str, str]) -> PastEvaluation:  # fmt: skip
    run, started, verdict, score, _, case, evidence, recording = row
    found = {"case": case, "evidence": evidence, "recording": recording}
    inputs = {key: value for key, value in found.items() if value} | setup
    return PastEvaluation(run, started, verdict, score, inputs)


def steps_of(conn: Connection, evaluation: int) -> tuple[JudgeStep, ...]:
    """The judge's steps in order."""
    sql = """
        SELECT j.*, p.body AS prompt, p.prompt_hash FROM judge_step j
        LEFT JOIN prompt p ON p.id = j.prompt_id WHERE j.evaluation_id = ? ORDER BY j.seq
    """
    return tuple(_step(dict(row)) for row in conn.execute(sql, (evaluation,)))


def _step(row: dict[str, object]) -> JudgeStep:
    from jw_eval_store.domain.evaluations import JudgeStep

    values = {key: row[key] for key in JudgeStep.model_fields if row.get(key) is not None}
    values["details"] = json.loads(str(row["details"]))
    if row["logprobs"] is not None:
        values["logprobs"] = json.loads(str(row["logprobs"]))
    return JudgeStep.model_validate(values)


def labels_of(conn: Connection, evaluation: int) -> dict[str, str]:
    """For people: where the agent came from, which embedder, which judge."""
    sql = """
        SELECT coalesce(f.origin, 'unknown'),
               coalesce(m.backend || '/' || m.model || ' ' || m.revision, ''),
               coalesce(j.label, '')
        FROM evaluation e JOIN setup s ON s.id = e.setup_id
        LEFT JOIN agent_fingerprint f ON f.id = s.agent_fingerprint_id
        LEFT JOIN embedder m ON m.id = s.embedder_id LEFT JOIN judge j ON j.id = s.judge_id
        WHERE e.id = ?
    """
    origin, embedder, judge = conn.execute(sql, (evaluation,)).fetchone()
    return {"agent_origin": origin, "embedder": embedder, "judge": judge}

"""Take one verdict apart: what went in, what was asked, what came out, and what was before."""

from __future__ import annotations

from typing import Any

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.histories import EarlierVerdict, ExplainedResult, Explanation
from jw_eval_store.runs.comparing import CAUSES, NOTHING
from jw_eval_store.store.connect import Connection, reading
from jw_eval_store.store.explain import (
    PastEvaluation,
    asked_and_source,
    case_ids,
    case_key,
    golden_answer_of,
    labels_of,
    output_of,
    past_evaluations,
    run_with_case,
    steps_of,
)
from jw_eval_store.store.results import ResultRow, case_files, result_of, setup_inputs
from jw_eval_store.store.runs import RunRow, find_run
from jw_eval_store.text.nearest import did_you_mean

SHOWN_EARLIER = 10


def explain(config: HasDatabase, case_id: str, run: str | None = None) -> Explanation:
    """The verdict on a case in a run (none: the newest that judged it), with all that explains it.

    Raises EmptySelectionError for an unknown case, and for one that was never judged or not in that
    run; UsageError for an unknown run.
    """
    with reading(config.database) as conn:
        case = case_key(conn, case_id)
        if case is None:
            raise EmptySelectionError(
                f"there is no case {case_id!r}",
                hint=did_you_mean(case_id, case_ids(conn)) or "jw-eval cases list",
            )
        found = find_run(conn, run) if run else run_with_case(conn, case)
        if found is None:
            raise EmptySelectionError(
                f"case {case_id} was never judged", hint=f"jw-eval run --case {case_id}"
            )
        row = result_of(conn, found.key, case)
        if row is None:
            raise EmptySelectionError(
                f"run {found.ulid} has no case {case_id}", hint="jw-eval runs list"
            )
        return _explanation(conn, row, found)


def _explanation(conn: Connection, row: ResultRow, run: RunRow) -> Explanation:
    evaluation = row.evaluation
    asked, source = asked_and_source(conn, row.revision)
    return Explanation(
        run=run.ulid,
        result=_result(conn, row, run),
        source=source,
        input=asked,
        output=output_of(conn, evaluation) if evaluation else None,
        golden_answer=golden_answer_of(conn, row.revision),
        inputs=_inputs(conn, row),
        steps=steps_of(conn, evaluation) if evaluation else (),
        earlier=_earlier(conn, row.case),
        **(labels_of(conn, evaluation) if evaluation else {}),
    )


def _result(conn: Connection, row: ResultRow, run: RunRow) -> ExplainedResult:
    detail: dict[str, Any] = dict(row.parsed_detail())
    log = {"log": detail["log"]} if detail.get("log") else {}
    path = case_files(conn, [row.revision]).get(row.revision)
    reused = row.made_in is not None and row.made_in != run.ulid
    return ExplainedResult(
        case_id=row.case_id,
        layer=row.layer,
        verdict=row.verdict or "error",
        score=row.score,
        reasons=tuple(detail.get("reasons", ())) if row.verdict else ("not judged yet",),
        duration_ms=row.duration_ms,
        reason_code=row.reason_code if row.verdict else "not_run",
        details=detail.get("details", {}) | log,
        agent=row.agent,
        language=row.language,
        topic=row.topic,
        reused=reused,
        why=f"reused from run {row.made_in}" if reused else "",
        path=path,
        line=1 if path else None,
    )


def _inputs(conn: Connection, row: ResultRow) -> dict[str, str]:
    found = {"evidence": row.evidence_set, "recording": row.recording}
    setup = setup_inputs(conn, [row.setup]) if row.setup else {}
    return (
        {"case": row.content_hash}
        | setup.get(row.setup or 0, {})
        | {key: value for key, value in found.items() if value}
    )


def _earlier(conn: Connection, case: int) -> tuple[EarlierVerdict, ...]:
    past = past_evaluations(conn, case, SHOWN_EARLIER + 1)
    return tuple(
        EarlierVerdict(
            run=now.run,
            started_at=now.started_at,
            verdict=now.verdict,
            score=now.score,
            cause=_cause(before, now) if before else "first verdict shown",
        )
        for now, before in zip(past, [*past[1:], None], strict=True)
    )[:SHOWN_EARLIER]


def _cause(before: PastEvaluation, now: PastEvaluation) -> str:
    """What differs; an agent without a fingerprint may have changed, and is said to be unknown."""
    old, new = before.inputs, now.inputs
    unknown = "unknown" in (old.get("agent"), new.get("agent"))
    named = CAUSES | {"agent": "agent unknown"} if unknown else CAUSES
    differing = {key for key in CAUSES if old.get(key) != new.get(key)}
    changed = [named[key] for key in CAUSES if key in differing or (unknown and key == "agent")]
    steady = before.verdict == now.verdict
    return ", ".join(changed) or ("nothing changed" if steady else NOTHING)

"""Take one verdict apart: what went in, what was asked, what came out, and what was before."""

from __future__ import annotations

import json

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.histories import EarlierVerdict, Explanation
from jw_eval_store.domain.reports import CaseReport
from jw_eval_store.runs.comparing import CAUSES, NOTHING
from jw_eval_store.runs.reporting import case_reports
from jw_eval_store.store.cases import find_case, known_ids, source_of
from jw_eval_store.store.connect import Connection, reading
from jw_eval_store.store.evaluations import load_output
from jw_eval_store.store.explain import labels_of, past_evaluations, run_with_case, steps_of
from jw_eval_store.store.history import definition_of
from jw_eval_store.store.results import results_of
from jw_eval_store.store.runs import RunRow, find_run
from jw_eval_store.text.nearest import did_you_mean

SHOWN_EARLIER = 10


def explain(config: Config, case_id: str, run: str | None = None) -> Explanation:
    """The verdict on a case in a run (none: the newest that judged it), with all that explains it.

    Raises UsageError for an unknown case or run, and for a case that was never judged.
    """
    with reading(config.database) as conn:
        row = find_case(conn, case_id)
        if row is None:
            raise UsageError(
                f"there is no case {case_id!r}",
                hint=did_you_mean(case_id, known_ids(conn)) or "jw-eval cases list",
            )
        found = find_run(conn, run) if run else run_with_case(conn, row.key)
        if found is None:
            raise UsageError(
                f"case {case_id} was never judged", hint=f"jw-eval run --case {case_id}"
            )
        return _explanation(conn, case_id, found)


def _explanation(conn: Connection, case_id: str, run: RunRow) -> Explanation:
    result = next((r for r in case_reports(conn, run) if r.case_id == case_id), None)
    row = next((r for r in results_of(conn, run.key) if r.case_id == case_id), None)
    if result is None or row is None:
        raise UsageError(f"run {run.ulid} has no case {case_id}", hint="jw-eval runs list")
    evaluation = row.evaluation
    return Explanation(
        run=run.ulid,
        result=result,
        source=source_of(conn, row.revision),
        input=json.loads(json.dumps(definition_of(conn, row.revision)["input"])),
        output=load_output(conn, evaluation) if evaluation else None,
        inputs=result.inputs,
        steps=steps_of(conn, evaluation) if evaluation else (),
        earlier=_earlier(conn, row.case, result),
        **(labels_of(conn, evaluation) if evaluation else {}),
    )


def _earlier(conn: Connection, case: int, result: CaseReport) -> tuple[EarlierVerdict, ...]:
    past = past_evaluations(conn, case, SHOWN_EARLIER + 1)
    return tuple(
        EarlierVerdict(
            run=now.run,
            started_at=now.started_at,
            verdict=now.verdict,
            score=now.score,
            cause=_cause(before.inputs, now.inputs) if before else "first verdict shown",
        )
        for now, before in zip(past, [*past[1:], None], strict=True)
    )[:SHOWN_EARLIER]


def _cause(before: dict[str, str], now: dict[str, str]) -> str:
    changed = [name for key, name in CAUSES.items() if before.get(key) != now.get(key)]
    return ", ".join(changed) or NOTHING

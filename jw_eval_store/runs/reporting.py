"""Read a run back as a report: what every format, comparison and library user starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.evaluations import VERDICTS, Verdict
from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.domain.histories import TrendPoint
from jw_eval_store.domain.reports import (
    AgentCounts,
    CaseReport,
    Comparison,
    GateOutcome,
    InvalidFile,
)
from jw_eval_store.domain.reports import SuiteReport as Report
from jw_eval_store.runs.history import trend_points
from jw_eval_store.store.connect import Connection, reading
from jw_eval_store.store.results import (
    ResultRow,
    agent_counts,
    case_files,
    counts_of,
    origins_of,
    results_of,
    reused_of,
    setup_inputs,
)
from jw_eval_store.store.runs import RunRow, find_run
from jw_eval_store.store.trends import TrendFilter

TREND_POINTS = 20


def show_run(config: HasDatabase, name: str = "last") -> Report:
    """A stored run as it was reported. Raises UsageError for an unknown one."""
    with reading(config.database) as conn:
        run = find_run(conn, name)
        stored = run.notices.get("gate")
        gate = (
            GateOutcome.model_validate(stored)
            if stored
            else GateOutcome(
                verdict="interrupted",
                exit_code=130,
                reasons=(f"the run is {run.status}; finish it with: jw-eval run --resume"
                         f" {run.ulid}",),
            )
        )  # fmt: skip
        return suite_report(conn, run, gate, case_reports(conn, run))


def case_reports(
    conn: Connection, run: RunRow, *, but_passes: bool = False, why: Mapping[int, str] | None = None
) -> tuple[CaseReport, ...]:
    """A run's results as reported; `but_passes` leaves out what passed, which is much quicker."""
    rows = list(results_of(conn, run.key, but_passes=but_passes))
    setups = setup_inputs(conn, (row.setup for row in rows if row.setup is not None))
    files = case_files(conn, (row.revision for row in rows if row.verdict != "pass"))
    return tuple(_case(row, run, setups, files, why or {}) for row in rows)


def _case(
    row: ResultRow,
    run: RunRow,
    setups: Mapping[int, Mapping[str, str]],
    files: Mapping[int, str],
    why: Mapping[int, str],
) -> CaseReport:
    detail = row.parsed_detail()
    reused = row.made_in not in (None, run.ulid, *run.selection.get("shards", ()))
    return CaseReport.model_construct(
        case_id=row.case_id,
        layer=row.layer,
        verdict=row.verdict or "error",
        score=row.score,
        reasons=tuple(detail.get("reasons", ())) if row.verdict else ("not judged yet",),
        duration_ms=row.duration_ms,
        reason_code=row.reason_code if row.verdict else "not_run",
        details=dict(detail.get("details", {})) | _log(detail),
        steps=(),
        agent=row.agent,
        language=row.language,
        topic=row.topic,
        reused=reused,
        why=f"reused from run {row.made_in}" if reused else why.get(row.case, ""),
        path=files.get(row.revision),
        line=1 if row.revision in files else None,
        inputs=_inputs(row, setups),
    )


def _log(detail: Mapping[str, Any]) -> dict[str, Any]:
    return {"log": detail["log"]} if detail.get("log") else {}


def _inputs(row: ResultRow, setups: Mapping[int, Mapping[str, str]]) -> dict[str, str]:
    inputs = {"case": row.content_hash, **setups.get(row.setup or 0, {})}
    if row.evidence_set:
        inputs["evidence"] = row.evidence_set
    if row.recording:
        inputs["recording"] = row.recording
    return inputs


def suite_report(
    conn: Connection,
    run: RunRow,
    gate: GateOutcome,
    results: Sequence[CaseReport],
    *,
    comparison: Comparison | None = None,
) -> Report:
    """The specification's report of a stored run."""
    return Report.model_construct(
        run=run.ulid,
        started_at=datetime.fromisoformat(run.started_at),
        finished_at=datetime.fromisoformat(run.finished_at or run.started_at),
        layers_run=tuple(counts_of(conn, run.key)),
        results=tuple(results),
        summary=summary(conn, run.key),
        by_agent=tuple(AgentCounts(**counted) for counted in agent_counts(conn, run.key)),
        diff_vs_baseline=comparison,
        gate=gate,
        invalid_files=tuple(InvalidFile(**f) for f in run.notices.get("invalid_files", ())),
        notices=tuple(run.notices.get("notices", ())),
        agents=dict(run.notices.get("agents", {})),
        embedder=run.notices.get("embedder"),
        judge=run.notices.get("judge"),
        git_revision=run.git_revision,
        tool_version=run.tool_version,
        bundled=bool(run.bundled),
        trend=_trend(conn, run),
    )


def _trend(conn: Connection, run: RunRow) -> tuple[TrendPoint, ...]:
    """The run after earlier ones of the same selection; a part of the suite has no trend of all."""
    selection = canonical_json(run.selection.get("selection"))
    wanted = TrendFilter(bundled=bool(run.bundled), selection=selection)
    points = trend_points(conn, wanted, by="run", last=TREND_POINTS)
    return tuple(point for point in points if point.run <= run.ulid)


def summary(conn: Connection, run: int) -> dict[str, dict[str, Any]]:
    """Counts per layer: by verdict, total, reused; for L2 the passes per origin of evidence."""
    reused = reused_of(conn, run)
    found: dict[str, dict[str, Any]] = {}
    for layer, counts in counts_of(conn, run).items():
        found[layer] = {verdict: counts[verdict] for verdict in VERDICTS}
        found[layer] |= {"total": counts.total(), "reused": reused.get(layer, 0)}
    if "l2" in found:
        found["l2"]["passes_by_origin"] = origins_of(conn, run)
    return found


def verdict_counts(results: Iterable[CaseReport]) -> dict[Layer, Counter[Verdict]]:
    """Verdicts per layer of a list of results."""
    counts: dict[Layer, Counter[Verdict]] = {}
    for result in results:
        counts.setdefault(result.layer, Counter())[result.verdict] += 1
    return counts

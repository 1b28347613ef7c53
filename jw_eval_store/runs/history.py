"""Read the past: the list of runs, and trends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import EmptySelectionError
from jw_eval_store.domain.histories import RunInfo, TrendPoint
from jw_eval_store.store.connect import Connection, reading
from jw_eval_store.store.runs import RunRow, recent_runs
from jw_eval_store.store.trends import (
    RunCounts,
    TrendFilter,
    ruler_changes,
    run_counts,
    trend_counts,
)


def list_runs(
    config: HasDatabase, *, limit: int = 20, bundled: bool | None = None
) -> list[RunInfo]:
    """The newest runs first."""
    with reading(config.database) as conn:
        runs = recent_runs(conn, limit, bundled=bundled)
        counts = run_counts(conn, [run.key for run in runs])
    return [_info(run, counts.get(run.key)) for run in runs]


def _info(run: RunRow, counts: RunCounts | None) -> RunInfo:
    return RunInfo(
        run=run.ulid,
        started_at=run.started_at,
        finished_at=run.finished_at,
        status=run.status,
        gate=run.gate,
        exit_code=run.exit_code,
        passed=counts.passed if counts else 0,
        failed=counts.failed if counts else 0,
        errors=counts.errors if counts else 0,
        skipped=counts.skipped if counts else 0,
        reused=counts.reused if counts else 0,
        layers=tuple(sorted(counts.layers.split(","))) if counts else (),
        git_revision=run.git_revision,
        git_dirty=None if run.git_dirty is None else bool(run.git_dirty),
        bundled=bool(run.bundled),
        binding=bool((run.notices.get("gate") or {}).get("binding", True)),
    )


@dataclass(frozen=True)
class TrendRequest:
    """Whose trend: of an agent, layer, language (none: all), over the last so many points."""

    agent: str | None = None
    layer: str | None = None
    language: str | None = None
    by: Literal["run", "day", "revision"] = "run"
    last: int = 30
    bundled: bool = False


def trend(request: TrendRequest, config: HasDatabase) -> list[TrendPoint]:
    """Points, oldest first; a day or revision is shown by its last run.

    `marks` say where embedder, judge or case set changed since the last run of the same layers:
    there the ruler moved, not the quality. An edited case leaves the set as it is.
    Raises EmptySelectionError where no finished run matches.
    """
    with reading(config.database) as conn:
        wanted = TrendFilter(request.agent, request.layer, request.language, request.bundled)
        points = trend_points(conn, wanted, by=request.by, last=request.last)
    if not points:
        raise EmptySelectionError(
            "no finished run matches, so there is no trend",
            hint="jw-eval runs list; demonstration runs need --bundled",
        )
    return points


def trend_points(
    conn: Connection, wanted: TrendFilter, *, by: Literal["run", "day", "revision"], last: int
) -> list[TrendPoint]:
    """The newest points, oldest first, with marks; none where nothing matches."""
    chosen = trend_counts(conn, wanted, by=by, last=last)
    marks = ruler_changes(conn, chosen)
    return [_point(point, marks.get(point.run, ())) for point in chosen]


def _point(counts: RunCounts, marks: tuple[str, ...]) -> TrendPoint:
    return TrendPoint(
        at=counts.started_at,
        run=counts.ulid,
        git_revision=counts.git_revision,
        passed=counts.passed,
        failed=counts.failed,
        errors=counts.errors,
        skipped=counts.skipped,
        mean_score=counts.score_sum / counts.scored if counts.scored else None,
        marks=marks,
        layers=tuple(sorted(counts.kind)),
    )

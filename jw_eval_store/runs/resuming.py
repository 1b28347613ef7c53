"""Take an interrupted run up again: the cases that have no verdict yet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.runs.baselines import Baseline
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.runs import RunRow, find_run, recent_runs


def resumable(conn: Connection, name: str) -> RunRow:
    """The interrupted run of that name; `last` is the newest one.

    Raises UsageError for a finished or a running one.
    """
    run = _last_interrupted(conn) if name == "last" else find_run(conn, name)
    if run.status != "interrupted":
        raise UsageError(f"run {run.ulid} is {run.status}, not interrupted", hint="jw-eval run")
    if source := run.selection.get("rejudged"):
        raise UsageError(
            f"run {run.ulid} judged stored answers again, and can't be resumed",
            hint=f"jw-eval rejudge {source}; replies that came are cached",
        )
    return run


def _last_interrupted(conn: Connection) -> RunRow:
    for run in recent_runs(conn, 100):
        if run.status == "interrupted":
            return run
    raise UsageError("none of the newest runs was interrupted", hint="jw-eval runs list")


def held_to(request: RunRequest, baseline: Baseline | None) -> dict[str, Any]:
    """What a run asked for beyond the policy, to be kept with it: resuming must not lose a bar."""
    asked = {
        "baseline": baseline.name if baseline else None,
        "min_pass": dict(request.min_pass),
        "min_decided": dict(request.min_decided),
    }
    return {name: value for name, value in asked.items() if value}


def resumed_request(conn: Connection, request: RunRequest) -> RunRequest:
    """The request with what the interrupted run was started with: cases, repeats, baseline, bars.

    A baseline or a bar that is named anew replaces the one of then. Raises UsageError for a request
    that asks for other cases, or to ask them otherwise: the rest of the run would not be that.
    """
    if not request.resume:
        return request
    if request.shard:
        raise UsageError("a resumed run keeps its shard", hint="leave out --shard")
    run = resumable(conn, request.resume)
    kept = run.selection
    if asked := _asked_otherwise(request, run):
        raise UsageError(
            f"a resumed run keeps its {asked}", hint=f"jw-eval run --resume {request.resume}"
        )
    return replace(
        request,
        resume=run.ulid,
        bundled=bool(run.bundled),
        repeat=int(kept.get("repeat", 1)),
        baseline=kept.get("baseline") if request.baseline is None else request.baseline,
        min_pass={**kept.get("min_pass", {}), **request.min_pass},
        min_decided={**kept.get("min_decided", {}), **request.min_decided},
    )


def _asked_otherwise(request: RunRequest, run: RunRow) -> str:
    """What the request names that the run was started with and keeps; empty: nothing."""
    if request.layers_asked or request.selection != Selection():
        return "cases"
    if request.bundled and not run.bundled:
        return "cases, which are not the bundled ones"
    return "repeats" if request.repeat not in (1, run.selection.get("repeat", 1)) else ""


def selection_of(run: RunRow) -> Selection:
    """The selection that the run was started with."""
    return Selection.model_validate(run.selection["selection"])

"""Take an interrupted run up again: the cases that have no verdict yet."""

from __future__ import annotations

from dataclasses import replace

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.selections import Selection
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


def resumed_request(conn: Connection, request: RunRequest) -> RunRequest:
    """The request with what the interrupted run was started with: cases, agents, repeats."""
    if not request.resume:
        return request
    if request.shard:
        raise UsageError("a resumed run keeps its shard", hint="leave out --shard")
    run = resumable(conn, request.resume)
    repeat = int(run.selection.get("repeat", 1))
    return replace(request, resume=run.ulid, bundled=bool(run.bundled), repeat=repeat)


def selection_of(run: RunRow) -> Selection:
    """The selection that the run was started with."""
    return Selection.model_validate(run.selection["selection"])

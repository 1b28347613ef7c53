"""Take an interrupted run up again: the cases that have no verdict yet."""

from __future__ import annotations

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.runs import RunRow, find_run


def resumable(conn: Connection, name: str) -> RunRow:
    """The interrupted run of that name. Raises UsageError for a finished or a running one."""
    run = find_run(conn, name)
    if run.status != "interrupted":
        raise UsageError(f"run {run.ulid} is {run.status}, not interrupted", hint="jw-eval run")
    if source := run.selection.get("rejudged"):
        raise UsageError(
            f"run {run.ulid} judged stored answers again, and can't be resumed",
            hint=f"jw-eval rejudge {source}; replies that came are cached",
        )
    return run


def selection_of(run: RunRow) -> Selection:
    """The selection that the run was started with."""
    return Selection.model_validate(run.selection["selection"])

"""Why a case was asked again and not reused: the part that changed (`run --explain`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jw_eval_store.runs.changes import changed_inputs
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.planning import LastInputs, Planned, last_inputs

Changes = Callable[[Planned, LastInputs], Sequence[str]]


def reasons_to_run(conn: Connection, stale: Sequence[Planned], *, reusing: bool) -> dict[int, str]:
    """By case key: why each stale case is run."""
    if not reusing:
        return {item.case.key: "run: reuse was not asked for (--since)" for item in stale}
    last = last_inputs(conn, (item.case.key for item in stale))
    changes = changed_inputs(conn)
    return {item.case.key: _why(item, last.get(item.case.key), changes) for item in stale}


def _why(item: Planned, last: LastInputs | None, changes: Changes) -> str:
    if last is None:
        return "run: never judged before"
    found = changes(item, last)
    if found:
        return "run: " + "; ".join(found)
    if last.verdict != "pass":
        return f"run: its last verdict was {last.verdict}, which is never reused"
    return "run: no reusable verdict (agent's fingerprint unknown, or --since excludes it)"

"""`db check --repair`: mend what can be computed again from what is stored. Deletes no data."""

from __future__ import annotations

from pathlib import Path

from jw_eval_store.store import connect, views
from jw_eval_store.store.check import wrong_rollups
from jw_eval_store.store.runs import mark_dead_runs, write_rollup


def repair(path: Path) -> list[str]:
    """Make indexes, views and roll-ups again, and mark killed runs. Says what was done."""
    with connect.writing(path) as connection, connect.transaction(connection):
        done = _rollups(connection) + _views(connection) + _dead_runs(connection)
        connection.execute("REINDEX")
    return [*done, "indexes were made again"]


def _rollups(connection: connect.Connection) -> list[str]:
    wrong = wrong_rollups(connection)
    for ulid in wrong:
        (key,) = connection.execute("SELECT id FROM run WHERE ulid = ?", (ulid,)).fetchone()
        write_rollup(connection, key)
    return [f"run {ulid}: roll-up written" for ulid in wrong]


def _views(connection: connect.Connection) -> list[str]:
    differing = views.differing(connection)
    if differing:
        views.drop(connection)
        views.create(connection)
    return [f"view {name} made again" for name in differing]


def _dead_runs(connection: connect.Connection) -> list[str]:
    before = connection.total_changes
    mark_dead_runs(connection)
    count = connection.total_changes - before
    return [f"{count} killed runs marked as interrupted"] if count else []

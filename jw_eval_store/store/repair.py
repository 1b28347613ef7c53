"""`db check --repair`: mend what can be computed again, and remove what nothing needs."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.store import connect, views
from jw_eval_store.store.check import (
    RESTORE,
    Problem,
    damage,
    runs_with_lost_results,
    wrong_rollups,
)
from jw_eval_store.store.orphans import remove_orphans
from jw_eval_store.store.runs import mark_dead_runs, running_here, write_rollup


def repair(path: Path) -> list[str]:
    """Make indexes, views and roll-ups again, mark killed runs, remove orphans: all or nothing.

    Says what was done. Indexes come first, since all else is found by them. Raises
    InfrastructureError where the file is damaged beyond its indexes, and changes nothing then.
    """
    with connect.writing(path, make=False) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")  # see orphans
        with connect.transaction(connection):
            return _repair(connection, path)


def _repair(connection: connect.Connection, path: Path) -> list[str]:
    for problem in _left_by_reindexing(connection):
        raise InfrastructureError(
            f"{path} is damaged beyond its indexes ({problem.message}); nothing was changed",
            hint=problem.hint,
        )
    lost = runs_with_lost_results(connection)
    return [
        "indexes were made again",
        *_views(connection),
        *_dead_runs(connection),
        *_orphans(connection),
        *_rollups(connection, but=lost),
    ]


def _left_by_reindexing(connection: connect.Connection) -> Iterator[Problem]:
    try:
        connection.execute("REINDEX")
    except sqlite3.IntegrityError as error:  # rows that are there twice
        yield Problem("damage", str(error), RESTORE)
    yield from damage(connection)


def _orphans(connection: connect.Connection) -> list[str]:
    if running := running_here(connection):
        return [f"orphans were left alone: run {running[0]} is going on"]
    return [
        f"{table}: {rows:,} removed, which nothing needed"
        for table, rows in remove_orphans(connection).items()
    ]


def _rollups(connection: connect.Connection, *, but: Collection[str]) -> list[str]:
    """A roll-up may be all that is left to say what a run held: that one stays."""
    wrong = [ulid for ulid in wrong_rollups(connection) if ulid not in but]
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

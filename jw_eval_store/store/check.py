"""`db check`: is the file whole, does its content match its addresses, is anything left undone?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.store import connect, views
from jw_eval_store.store.contents import mismatches
from jw_eval_store.store.runs import recent_runs

_MOST = 100
"""Problems of one kind that are listed."""


@dataclass(frozen=True)
class Problem:
    """One thing found. `serious`: stored data is damaged; else something was left undone."""

    kind: str
    message: str
    hint: str
    serious: bool = True


def check(path: Path) -> list[Problem]:
    """All problems of a database; none: it is sound. Reads everything.

    Raises InfrastructureError where the file can't be opened at all.
    """
    with connect.reading(path) as connection:
        damage = list(_damage(connection))
        if damage:
            return damage
        return [problem for look in _LOOKS for problem in look(connection)]


def _damage(connection: connect.Connection) -> Iterator[Problem]:
    hint = "restore a backup, or try: sqlite3 FILE .recover"
    try:
        for (answer,) in connection.execute(f"PRAGMA integrity_check({_MOST})"):
            if answer != "ok":
                yield Problem("damage", answer, hint)
    except sqlite3.DatabaseError as error:
        yield Problem("damage", str(error), hint)


def _foreign_keys(connection: connect.Connection) -> Iterator[Problem]:
    for table, row, target, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST):
        which = f"row {row} of {table}" if row is not None else f"a row of {table}"
        yield Problem(
            "reference", f"{which} refers to a missing row of {target}", "restore a backup"
        )


def _contents(connection: connect.Connection) -> Iterator[Problem]:
    for found, (table, name) in enumerate(mismatches(connection)):
        if found == _MOST:
            return
        yield Problem(
            "content",
            f"{table} {name}: the content isn't what its address says",
            "restore a backup; cases and evidence come back from their files with the next run",
        )


def _vectors(connection: connect.Connection) -> Iterator[Problem]:
    sql = """
        SELECT m.model, count(*) FROM embedding v JOIN embedder m ON m.id = v.embedder_id
        WHERE length(v.vector) <> 4 * m.dimension GROUP BY m.id
    """
    for model, count in connection.execute(sql):
        yield Problem(
            "content",
            f"{count} vectors of {model} have the wrong length",
            "run: jw-eval embeddings prune, and they are computed again",
        )


def _interrupted(connection: connect.Connection) -> Iterator[Problem]:
    for run in recent_runs(connection, -1):
        if run.status == "interrupted":
            yield Problem(
                "interrupted",
                f"run {run.ulid} of {run.started_at} was interrupted",
                f"run: jw-eval run --resume {run.ulid}",
                serious=False,
            )


def _rollups(connection: connect.Connection) -> Iterator[Problem]:
    for ulid in wrong_rollups(connection):
        yield Problem(
            "roll-up",
            f"run {ulid}: its roll-up is missing, or doesn't count its results",
            "run: jw-eval db check --repair",
            serious=False,
        )


def wrong_rollups(connection: connect.Connection) -> list[str]:
    """ULIDs of finished runs whose roll-up doesn't count each of their results once."""
    sql = """
        SELECT n.ulid FROM run n
        WHERE n.status = 'finished' AND json_extract(n.notices, '$.pruned') IS NULL
          AND (SELECT count(*) FROM run_result l WHERE l.run_id = n.id)
           <> (SELECT total(u.passed + u.failed + u.skipped + u.errors)
               FROM rollup u WHERE u.run_id = n.id)
        ORDER BY n.ulid
    """
    return [ulid for (ulid,) in connection.execute(sql)]


def _views(connection: connect.Connection) -> Iterator[Problem]:
    for name in views.differing(connection):
        yield Problem(
            "view",
            f"the view {name} is missing, or isn't this version's",
            "run: jw-eval db check --repair",
            serious=False,
        )


_LOOKS: tuple[Callable[[connect.Connection], Iterator[Problem]], ...] = (
    _foreign_keys,
    _contents,
    _vectors,
    _interrupted,
    _rollups,
    _views,
)

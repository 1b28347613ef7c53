"""`db check`: is the file whole, does its content match its addresses, is anything left undone?"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.store import connect, views
from jw_eval_store.store.contents import mismatches
from jw_eval_store.store.orphans import OWNED, find_orphans
from jw_eval_store.store.runs import recent_runs

_REPAIR = "run: jw-eval db check --repair"
RESTORE = "restore a backup, or try: sqlite3 FILE .recover"
_STALE_INDEX = re.compile(r"missing from index|entries in index|non-unique entry in index")
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
        damaged = list(damage(connection))
        if damaged:
            return damaged
        return [problem for look in _LOOKS for problem in look(connection)]


def damage(connection: connect.Connection) -> Iterator[Problem]:
    """What SQLite itself finds wrong with the file; an index that does not fit can be mended."""
    try:
        for (answer,) in connection.execute(f"PRAGMA integrity_check({_MOST})"):
            if answer != "ok":
                stale = _STALE_INDEX.search(answer)
                yield Problem("damage", answer, _REPAIR if stale else RESTORE)
    except sqlite3.DatabaseError as error:
        yield Problem("damage", str(error), RESTORE)


def _foreign_keys(connection: connect.Connection) -> Iterator[Problem]:
    for table, row, target, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST):
        which = f"row {row} of {table}" if row is not None else f"a row of {table}"
        hint = "restore a backup"
        if OWNED.get(table, ("", ""))[1] == target:
            hint += f", or let it be removed, {_REPAIR}"
        yield Problem("reference", f"{which} refers to a missing row of {target}", hint)


def _unneeded(connection: connect.Connection) -> Iterator[Problem]:
    for found in find_orphans(connection):
        if not found.lost:  # else a missing row was told of
            yield Problem(
                "orphan",
                f"{found.table}: nothing refers to {found.rows:,} of its rows",
                f"{_REPAIR}, and they are removed",
                serious=False,
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


def _lost_results(connection: connect.Connection) -> Iterator[Problem]:
    for ulid in runs_with_lost_results(connection)[:_MOST]:
        message = f"run {ulid} doesn't hold the results that its verdict was given on"
        yield Problem("results", message, "restore a backup, or merge a file that has the run")


def runs_with_lost_results(connection: connect.Connection) -> list[str]:
    """ULIDs of finished runs with other results than the gate counted, pruned ones left out."""
    sql = """
        WITH said AS (
            SELECT n.id, n.ulid, total(y.value ->> '$.total') AS results
            FROM run n, json_each(n.notices, '$.gate.layers') y
            WHERE n.status = 'finished' AND json_extract(n.notices, '$.pruned') IS NULL
            GROUP BY n.id
        )
        SELECT s.ulid FROM said s
        WHERE s.results <> (SELECT count(*) FROM run_result l WHERE l.run_id = s.id)
        ORDER BY s.ulid
    """
    return [ulid for (ulid,) in connection.execute(sql)]


def _rollups(connection: connect.Connection) -> Iterator[Problem]:
    for ulid in wrong_rollups(connection):
        yield Problem(
            "roll-up",
            f"run {ulid}: its roll-up is missing, or doesn't count its results",
            _REPAIR,
            serious=False,
        )


def wrong_rollups(connection: connect.Connection) -> list[str]:
    """ULIDs of finished runs whose roll-up doesn't count each of their results as what it is."""
    sql = """
        WITH counted AS (
            SELECT l.run_id, sum(e.verdict IS 'pass') AS passed, sum(e.verdict IS 'fail') AS failed,
                   sum(e.verdict IS 'skip') AS skipped, count(*) AS results
            FROM run_result l LEFT JOIN evaluation e ON e.id = l.evaluation_id GROUP BY l.run_id
        ), rolled AS (
            SELECT run_id, sum(passed) AS passed, sum(failed) AS failed, sum(skipped) AS skipped,
                   sum(passed + failed + skipped + errors) AS results
            FROM rollup GROUP BY run_id
        )
        SELECT n.ulid FROM run n LEFT JOIN counted c ON c.run_id = n.id
        LEFT JOIN rolled u ON u.run_id = n.id
        WHERE n.status = 'finished' AND json_extract(n.notices, '$.pruned') IS NULL
          AND (c.passed, c.failed, c.skipped, c.results)
              IS NOT (u.passed, u.failed, u.skipped, u.results)
        ORDER BY n.ulid
    """
    return [ulid for (ulid,) in connection.execute(sql)]


def _views(connection: connect.Connection) -> Iterator[Problem]:
    for name in views.differing(connection):
        yield Problem(
            "view",
            f"the view {name} is missing, or isn't this version's",
            _REPAIR,
            serious=False,
        )


_LOOKS: tuple[Callable[[connect.Connection], Iterator[Problem]], ...] = (
    _foreign_keys,
    _unneeded,
    _contents,
    _vectors,
    _interrupted,
    _lost_results,
    _rollups,
    _views,
)

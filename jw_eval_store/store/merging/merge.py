"""`db merge`: bring the rows of other database files into one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.store import connect
from jw_eval_store.store.connect import Connection, transaction, writing
from jw_eval_store.store.merging.conflicts import conflicts
from jw_eval_store.store.merging.copying import copy_rows
from jw_eval_store.store.merging.ordering import order_by_time
from jw_eval_store.store.merging.settling import dependent_on_all, settle
from jw_eval_store.store.revision import NEWEST


@dataclass(frozen=True)
class MergedFile:
    """What one file brought: runs and evaluations that were not there before."""

    path: Path
    runs: int
    evaluations: int


def merge(target: Path, sources: Sequence[Path]) -> list[MergedFile]:
    """Merge files into `target`, which is made if it is missing; each all or nothing.

    The same files in any order, or once more, give the same content. Raises UsageError for a file
    that is the target itself, or that says otherwise under the same key; InfrastructureError for
    one of another schema.
    """
    with writing(target) as conn:
        for source in sources:
            _check(source, target)
        found = [_merge(conn, source) for source in sources]
        order_by_time(conn)
        conn.execute("PRAGMA optimize")
    return found


def _check(source: Path, target: Path) -> None:
    revision = connect.revision_of(source)
    if source.samefile(target):
        raise UsageError(f"{source} is the database that is merged into", hint="leave it out")
    if revision != NEWEST:
        raise InfrastructureError(
            f"database {source} has schema {revision or 'none'}, not {NEWEST}",
            hint=f"run: jw-eval db upgrade --db {source}",
        )


def _merge(conn: Connection, source: Path) -> MergedFile:
    with _attached(conn, source), transaction(conn):
        found = list(islice(conflicts(conn), 10))
        if found:
            raise UsageError(
                f"{source} contradicts the database it is merged into: {'; '.join(found)}",
                hint="nothing of it was merged; find out which file is right: jw-eval db check",
            )
        before, last = _counts(conn), conn.execute("SELECT max(id) FROM run").fetchone()[0] or 0
        dependent = dependent_on_all(conn)
        copy_rows(conn)
        settle(conn, last, dependent)
        after = _counts(conn)
    return MergedFile(source, after[0] - before[0], after[1] - before[1])


def _counts(conn: Connection) -> tuple[int, int]:
    runs, evaluations = conn.execute(
        "SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM evaluation)"
    ).fetchone()
    return runs, evaluations


@contextmanager
def _attached(conn: Connection, source: Path) -> Iterator[None]:
    """The file as `src`; attached and detached outside of any transaction."""
    conn.execute("ATTACH ? AS src", (str(source),))
    try:
        yield
    finally:
        for (name,) in conn.execute(
            "SELECT name FROM temp.sqlite_schema WHERE name LIKE 'map\\_%' ESCAPE '\\'"
        ).fetchall():
            conn.execute(f"DROP TABLE temp.{name}")
        conn.execute("DETACH src")

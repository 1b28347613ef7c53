"""The database file itself: which files are accepted, and what a connection to one is.

Nothing here makes or upgrades a file; see `connect` for what commands use.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from jw_eval_store.store import errors, views
from jw_eval_store.store.revision import APPLICATION_ID, NEWEST, REVISIONS

Connection: TypeAlias = sqlite3.Connection

BUSY_SECONDS = 30.0
"""How long a statement waits for another process's lock before it gives up."""

_HEADER = b"SQLite format 3\x00"
_OLDEST_SQLITE = (3, 37)


@contextmanager
def transaction(connection: Connection) -> Iterator[Connection]:
    """All or nothing: takes the write lock at once, commits at the end, rolls back on any error.

    Taking the lock first is what lets writers wait for each other: a transaction that reads
    before it writes fails without waiting when another process has written in between.
    """
    nested = connection.in_transaction
    if nested:
        raise RuntimeError("transactions don't nest; pass the connection on instead")
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def now() -> str:
    """The present moment as it is stored: ISO 8601, UTC, milliseconds, `Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def revision_of(path: Path) -> str | None:
    """The file's schema revision; none where it has none yet. Raises for what isn't our file."""
    connection, revision = open_ours(path)
    connection.close()
    return revision


def connect(path: Path) -> Connection:
    """A bare connection to an existing file: no journal mode, no checks. Else use `open_for_*`.

    Where the folder can't be written and nothing waits in a journal, the file is read as it is:
    SQLite could not make the files that it needs to share it.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise errors.old_library(sqlite3.sqlite_version)
    uri = path.absolute().as_uri() + "?mode=rw"
    if not os.access(path.parent, os.W_OK) and not _waits_in_journal(path):
        uri = path.absolute().as_uri() + "?mode=ro&immutable=1"
    with errors.translated(path):
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection


def refuse_read_only(path: Path) -> None:
    """Raise InfrastructureError for a file, or a folder around it, that can't be written."""
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise errors.read_only(path)


def prepare(connection: Connection) -> None:
    """The settings of a writing connection, and our views as they are today.

    The busy timeout is already set by `connect`.
    """
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    if not views.are_current(connection):
        with transaction(connection):
            views.renew(connection)


def open_ours(path: Path) -> tuple[Connection, str | None]:
    """A connection to a file of ours, and its schema revision. Refuses every other file."""
    _refuse_other_files(path)
    connection = connect(path)
    with errors.translated(path), closed_on_error(connection):
        _refuse_other_programs(connection, path)
        revision = stored_revision(connection)
        if revision is not None and revision not in REVISIONS:
            raise errors.newer(path, revision, NEWEST)
    return connection, revision


@contextmanager
def closed_on_error(connection: Connection) -> Iterator[None]:
    """Close a connection that is not handed on."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _waits_in_journal(path: Path) -> bool:
    journal = Path(f"{path}-wal")
    return journal.exists() and journal.stat().st_size > 0


def _refuse_other_files(path: Path) -> None:
    if path.is_dir():
        raise errors.directory(path)
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise errors.no_file(path)
    try:
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
    except FileNotFoundError:
        raise errors.missing(path) from None
    except OSError as error:
        raise errors.translate(error, path) from error
    if not header:
        raise errors.empty(path)
    if header != _HEADER:
        raise errors.not_sqlite(path)


def _refuse_other_programs(connection: Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        raise errors.not_ours(path, [name for (name,) in names])


def stored_revision(connection: Connection) -> str | None:
    """What the file says of itself, whether known or not; none before the first migration."""
    known = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'alembic_version'")
    if known.fetchone() is None:
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])

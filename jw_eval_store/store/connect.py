"""Opening the database file, for commands: made where it is missing, upgraded where it is older.

Connections are plain `sqlite3` ones in autocommit mode with rows by name. Opening a current file
imports neither SQLAlchemy nor Alembic; only making or upgrading one does. What others need of
`files` is named here, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from jw_eval_store.store import errors, views
from jw_eval_store.store.files import (
    BUSY_SECONDS,
    Connection,
    closed_on_error,
    connect,
    now,
    open_ours,
    prepare,
    refuse_read_only,
    revision_of,
    stored_revision,
    transaction,
)
from jw_eval_store.store.revision import NEWEST

__all__ = [
    "BUSY_SECONDS",
    "Connection",
    "connect",
    "now",
    "open_for_reading",
    "open_for_writing",
    "reading",
    "revision_of",
    "stored_revision",
    "transaction",
    "writing",
]


def open_for_writing(path: Path, *, make: bool = True) -> Connection:
    """A connection that may write. Upgrades an older file after a backup; makes a missing one.

    Raises InfrastructureError for a file that isn't ours, is newer, locked, read-only or damaged,
    and where `make` is false for a missing one: there is nothing to mend in it, nor to take away.
    """
    if not path.exists():
        if not make:
            raise errors.missing(path)
        from jw_eval_store.store.upgrade import create

        create(path)
    connection, revision = open_ours(path)
    with errors.translated(path), closed_on_error(connection):
        refuse_read_only(path)
        if revision != NEWEST:
            from jw_eval_store.store.upgrade import upgrade

            upgrade(path)
        prepare(connection)
    return connection


def open_for_reading(path: Path) -> Connection:
    """A connection that can't write. Refuses missing, older and newer files (exit code 3)."""
    connection, revision = open_ours(path)
    with errors.translated(path), closed_on_error(connection):
        if revision != NEWEST:
            raise errors.older(path, revision, NEWEST)
        if not views.are_current(connection):
            raise errors.other_views(path)
        connection.execute("PRAGMA query_only = ON")
    return connection


@contextmanager
def writing(path: Path, *, make: bool = True) -> Iterator[Connection]:
    """`open_for_writing`, closed at the end, with SQLite's errors turned into words."""
    with errors.translated(path), closing(open_for_writing(path, make=make)) as connection:
        yield connection


@contextmanager
def reading(path: Path) -> Iterator[Connection]:
    """`open_for_reading`, closed at the end, with SQLite's errors turned into words."""
    with errors.translated(path), closing(open_for_reading(path)) as connection:
        yield connection

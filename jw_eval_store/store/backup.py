"""Copies of the database that are whole, even while others write."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.store import errors, files
from jw_eval_store.store.draft import draft_of, taken


def backup(path: Path, target: Path) -> Path:
    """Copy a database of ours while it is in use, and verify the copy. Returns the target.

    The copy is one file without a journal beside it. Raises UsageError where the target exists.
    """
    files.revision_of(path)
    if os.path.lexists(target):
        raise taken(target)
    if target.resolve() in _journals(path):
        what = f"{target} is a name that SQLite keeps for itself beside the database"
        raise UsageError(what, hint="name another file")
    return copy(path, target)


def _journals(path: Path) -> list[Path]:
    """Names beside the database that are SQLite's own: it empties or removes what is there."""
    return [path.resolve().with_name(path.name + end) for end in ("-wal", "-shm", "-journal")]


def copy(path: Path, target: Path) -> Path:
    """The copy itself: all that is committed at this moment. Copying the file alone would not do,
    since what was written last may still wait in the journal beside it.
    """
    with (
        draft_of(target, exclusive=True) as draft,
        _translated(path, target),
        closing(files.connect(path)) as source,
        closing(sqlite3.connect(draft)) as made,
    ):
        source.backup(made)
        made.execute("PRAGMA journal_mode = DELETE")
        _verify(made, target)
    return target


_OF_WRITING = (
    "SQLITE_FULL",
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_IOERR_DIR_FSYNC",
    "SQLITE_IOERR_TRUNCATE",
    "SQLITE_IOERR_CLOSE",
)
"""What can only be the target's: the database is read."""


@contextmanager
def _translated(path: Path, target: Path) -> Iterator[None]:
    """`errors.translated` of two files: what went wrong with the copy names the copy."""
    with errors.translated(path):
        try:
            yield
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "").startswith(_OF_WRITING):
                raise errors.translate(error, target) from error
            raise


def _verify(connection: files.Connection, target: Path) -> None:
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise InfrastructureError(
            f"the copy {target} would be damaged: {answer}",
            hint="run: jw-eval db check, on the database that was to be copied",
        )

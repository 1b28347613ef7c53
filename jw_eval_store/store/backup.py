"""Copies of the database that are whole, even while others write."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.store import errors, files
from jw_eval_store.store.draft import draft_of


def backup(path: Path, target: Path) -> Path:
    """Copy a database of ours while it is in use, and verify the copy. Returns the target.

    The copy is one file without a journal beside it. Raises UsageError where the target exists.
    """
    files.revision_of(path)
    if target.exists():
        raise UsageError(
            f"{target} exists already; a backup never overwrites a file", hint="name another file"
        )
    return copy(path, target)


def copy(path: Path, target: Path) -> Path:
    """The copy itself: all that is committed at this moment. Copying the file alone would not do,
    since what was written last may still wait in the journal beside it.
    """
    with (
        draft_of(target) as draft,
        errors.translated(path),
        closing(files.connect(path)) as source,
        closing(sqlite3.connect(draft)) as made,
    ):
        source.backup(made)
        made.execute("PRAGMA journal_mode = DELETE")
        _verify(made, target)
    return target


def _verify(connection: files.Connection, target: Path) -> None:
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise InfrastructureError(
            f"the copy {target} would be damaged: {answer}",
            hint="run: jw-eval db check, on the database that was to be copied",
        )

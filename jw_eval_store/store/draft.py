"""Files that appear whole or not at all: made beside their place, then put there.

A process killed in the middle leaves a draft that the next one removes, and never half a file.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.store import errors

_ABANDONED_SECONDS = 600
"""Drafts older than this were left by a killed process."""


@contextmanager
def draft_of(path: Path, *, exclusive: bool = False) -> Iterator[Path]:
    """An empty file to fill; becomes `path` at the end, unless such a file appeared meanwhile.

    That is as good, since another process made it alike; where it is not (`exclusive`), UsageError.
    """
    prefix = f".{path.name}.draft-"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for draft in path.parent.glob(f"{escape(prefix)}*"):
            _remove_if_abandoned(draft)
        draft = path.with_name(prefix + secrets.token_hex(8))
        draft.touch(exist_ok=False)
    except OSError as error:
        raise errors.translate(error, path) from error
    try:
        with errors.translated(path):
            yield draft
        _put(draft, path, exclusive)
    finally:
        for left in path.parent.glob(f"{escape(draft.name)}*"):
            left.unlink(missing_ok=True)


def _remove_if_abandoned(draft: Path) -> None:
    """Another process's draft may go away at any moment."""
    with suppress(FileNotFoundError):
        if draft.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
            draft.unlink()


def _put(draft: Path, path: Path, exclusive: bool) -> None:
    """A hard link never replaces a file; where the file system has none, a rename must do."""
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        if exclusive:
            raise taken(path) from None
    except OSError:
        draft.rename(path)


def taken(path: Path) -> UsageError:
    """A file, a folder or a link of that name is there, and is not to be replaced."""
    return UsageError(
        f"{path} exists already; a backup never overwrites a file", hint="name another file"
    )

"""Write a report so that a reader never finds half of one."""

from __future__ import annotations

import os
from pathlib import Path

from jw_eval_store.domain.errors import UsageError


def write_report(path: Path, text: str) -> None:
    """Put the text at `path`, whole or not at all; missing folders are made.

    A link stays a link; a device or pipe is written to directly. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    raw = text.encode("utf-8", "replace")
    if target.exists() and not target.is_file():
        target.write_bytes(raw)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        draft.write_bytes(raw)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def set_aside(path: Path) -> Path | None:
    """Rename an older report to `NAME.old`, its new name; none where that can't be done."""
    target = Path(os.path.realpath(path))
    try:
        return target.replace(target.with_name(f"{target.name}.old"))
    except OSError:
        return None


def write_or_refuse(path: Path, text: str) -> None:
    """The same where the file is what was asked for. Raises UsageError if it can't be written."""
    try:
        write_report(path, text)
    except OSError as error:
        problem = f"{path} can't be written: {error.strerror or error}"
        raise UsageError(problem, hint="name another file") from error


def append_report(path: Path, text: str) -> None:
    """Add the text to a file that others write to as well, such as a step summary."""
    with path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write(text)

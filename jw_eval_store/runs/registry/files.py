"""Writing case files: whole or not at all, and never over something that nobody has looked at."""

from __future__ import annotations

import os
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import content_hash


def create_file(path: Path, source: bytes, *, durable: bool = True) -> None:
    """Make a file; the same content again is no error. Raises UsageError if it holds another.

    Not `durable`: it is not waited for the disk, which counts where thousands are exported.
    """
    if _holds(path, source):
        return
    temporary = _written_beside(path, source, durable)
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise UsageError(f"{path} holds something else", hint="move it away, or edit it") from None
    finally:
        temporary.unlink()


def replace_file(path: Path, source: bytes, expected_hash: str) -> None:
    """Put another content in a file that still holds what is known of it. Raises UsageError."""
    if _holds(path, source):
        return
    _expect(path, expected_hash)
    target = path.resolve()
    temporary = _written_beside(target, source)
    temporary.chmod(target.stat().st_mode)
    temporary.replace(target)


def remove_file(path: Path, expected_hash: str) -> None:
    """Remove a file that still holds what is known of it. Raises UsageError."""
    _expect(path, expected_hash)
    path.unlink()


def _holds(path: Path, source: bytes) -> bool:
    return path.is_file() and path.read_bytes() == source


def _expect(path: Path, expected_hash: str) -> None:
    if content_hash(path.read_bytes()) != expected_hash:
        hint = "run the command again; if it stays, see jw-eval cases diff"
        raise UsageError(f"{path} was changed by someone else meanwhile", hint=hint)


def _written_beside(path: Path, source: bytes, durable: bool = True) -> Path:
    """A hidden file in the same folder; `durable`: on disk to its last byte."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(source)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    return temporary

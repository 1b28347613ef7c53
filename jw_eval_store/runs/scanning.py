"""List the files of a folder with size and time, quickly: unchanged ones are not opened again."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple


class Stat(NamedTuple):
    """What tells a changed file from an unchanged one: bytes, and nanoseconds."""

    size: int
    mtime_ns: int


def scan(root: str, wanted: Callable[[str], bool]) -> dict[str, Stat]:
    """Files below `root` whose name is wanted, by absolute path, sorted.

    Hidden ones and linked folders are left out; a link that leads nowhere counts, as 0 bytes, so
    that reading it says what is wrong.
    """
    found: dict[str, Stat] = {}
    _walk(root, wanted, found)
    return {path: found[path] for path in sorted(found)}


def _walk(folder: str, wanted: Callable[[str], bool], found: dict[str, Stat]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                if not entry.is_symlink():
                    _walk(entry.path, wanted, found)
            elif wanted(entry.name):
                found[_posix(entry.path)] = _stat(entry)


def _stat(entry: os.DirEntry[str]) -> Stat:
    try:
        stat = entry.stat()
    except FileNotFoundError:
        return Stat(0, 0)
    return Stat(stat.st_size, stat.st_mtime_ns)


def _posix(path: str) -> str:
    return path if os.sep == "/" else path.replace(os.sep, "/")

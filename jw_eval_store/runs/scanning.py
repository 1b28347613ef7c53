"""Find what changed in a folder by size and time: unchanged files are not opened again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Stat = tuple[int, int]
"""Bytes, and the time of the last change in nanoseconds, negative where it can't be told yet."""

SETTLED_NS = 20_000_000
"""A file that changed within this of being looked at may change again and show the same time."""


@dataclass
class Scan:
    """What a folder holds against what was known of it, by absolute path with `/`.

    `changed` are new files and those of another size or time, `gone` the known ones not found,
    `links` the linked folders, which are not looked into.
    """

    changed: dict[str, Stat] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changed or self.gone)


def scan(
    root: str, wanted: Callable[[str], bool], known: Mapping[str, Stat], *, linked: str = ""
) -> Scan:
    """Compare the files below `root` whose name is wanted with what is known.

    Hidden ones and linked folders are left out, but for the folder `linked` right in `root`; a link
    that leads nowhere counts, as 0 bytes, so that reading it says what is wrong.
    """
    unseen, changed, links = dict(known), {}, list[str]()
    for entry in _files(root, links, linked):
        path = entry.path.replace(os.sep, "/")
        if path in unseen or wanted(entry.name):
            found = _stat(entry)
            if unseen.pop(path, None) != found:
                changed[path] = _settled(found)
    return Scan({path: changed[path] for path in sorted(changed)}, sorted(unseen), sorted(links))


def _files(root: str, links: list[str], linked: str) -> Iterator[os.DirEntry[str]]:
    """All files below; linked folders but the one named are added to `links` instead."""
    folders = [root]
    while folders:
        folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name[0] == ".":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.is_symlink() and Path(entry.path).is_dir():
                    followed = folder == root and entry.name == linked
                    (folders if followed else links).append(entry.path)
                else:
                    yield entry


def _stat(entry: os.DirEntry[str]) -> Stat:
    try:
        stat = entry.stat()
    except OSError:  # nothing there, or a link that leads round in circles
        return 0, 0
    # Tools that copy keep the modification time; nothing keeps that of the inode.
    return stat.st_size, max(stat.st_mtime_ns, stat.st_ctime_ns)


def _settled(found: Stat) -> Stat:
    """What to remember: for a file that only just changed a time that no file has."""
    now = time.time_ns()
    return found if found[1] < now - SETTLED_NS else (found[0], -now)

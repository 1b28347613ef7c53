"""Which files an agent's process has used, so that an edit elsewhere makes nothing stale.

An audit hook sees every file that Python opens and every folder that it lists; modules are seen by
their source. Compiled libraries open files unseen: files of the kinds that they read (`UNSEEN`)
always count as used. So do all of its files once the agent has started another process.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .files import files_below, relevant
from .outside import Outside

UNSEEN = (".xml", ".html", ".xhtml", ".db", ".sqlite", ".sqlite3", ".epub", ".jwpub", ".so")
"""Suffixes of files that compiled libraries read without Python's knowledge."""

_EVENTS = frozenset({"open", "os.listdir", "os.scandir", "sqlite3.connect"})
_STARTS = ("os.fork", "os.posix_spawn", "os.exec", "os.spawn", "os.system", "subprocess.Popen")
_STARTERS = ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver")
"""Modules that start processes without an event, and are loaded for nothing else."""


class Usage:
    """Watches from the moment it is made; `folders` (label -> folder) say whose files count."""

    def __init__(self) -> None:
        self._folders: list[tuple[str, str]] = []
        self._outside = Outside()
        self._seen: dict[str, bool] = {}
        self._modules: set[str] = set()
        self._told: set[str] = set()
        self._others = self._all_told = False
        self._own = threading.local()
        sys.addaudithook(self._hook)

    def watch(self, folders: Mapping[str, str]) -> None:
        """Count files below these folders, also those used before."""
        both = {
            (label, path + os.sep)
            for label, folder in folders.items()
            for path in (os.path.abspath(folder), os.path.realpath(folder))
        }
        self._folders = sorted(both, key=lambda item: -len(item[1]))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Don't count what this thread does: hashing a file is not using it."""
        self._own.paused = True
        try:
            yield
        finally:
            self._own.paused = False

    def fresh(self) -> list[str]:
        """What was used since the last time, as `label/path`; a listed folder ends with `/`.

        Files that are below none of the folders come as absolute paths.
        """
        used = {self._name(path, listed) for path, listed in self._take().items()}
        if self._others or any(name in sys.modules for name in _STARTERS):
            used.update(() if self._all_told else self._all())
            self._all_told = True
        new = sorted(name for name in used - self._told if name)
        self._told.update(new)
        return new

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if event not in _EVENTS:
            self._others = self._others or event in _STARTS
            return
        if getattr(self._own, "paused", False):
            return
        place = args[0] if args and args[0] is not None else os.curdir
        if isinstance(place, (str, bytes, os.PathLike)):
            try:
                path = os.path.abspath(os.fsdecode(place))
            except (OSError, ValueError):
                return
            if event != "open" or not _only_writes(args):
                self._seen[path] = event.startswith("os.")

    def _take(self) -> dict[str, bool]:
        """What was seen since, with the sources of modules imported since."""
        seen, self._seen = self._seen, {}
        for name in set(sys.modules) - self._modules:
            source = getattr(sys.modules.get(name), "__file__", None)
            if isinstance(source, str):
                seen.setdefault(os.path.abspath(source), False)
            self._modules.add(name)
        return seen

    def _name(self, path: str, listed: bool) -> str:
        """By the path as it was given first: a link in a folder is that folder's file."""
        end = os.sep if listed else ""
        for way in (path, os.path.realpath(path)):
            label = self._label(way + end)
            if label:
                return label
        return "" if listed else self._outside.name(path)

    def _label(self, path: str) -> str:
        for label, folder in self._folders:
            if path.startswith(folder):
                below = path[len(folder) :].replace(os.sep, "/")
                return f"{label}/{below}" if relevant(below) else ""
        return ""

    def _all(self) -> Iterator[str]:
        """What another process may use, of which nothing is seen: every file and folder."""
        with self.paused():
            for label, folder in self._folders:
                for path in files_below(folder):
                    yield f"{label}/{path}"
                    yield f"{label}/{os.path.dirname(path)}/".replace("//", "/")


def _only_writes(args: tuple[Any, ...]) -> bool:
    """Whether a file was opened in a way that can't read it."""
    flags = args[2] if len(args) > 2 else 0
    return isinstance(flags, int) and flags & os.O_ACCMODE == os.O_WRONLY

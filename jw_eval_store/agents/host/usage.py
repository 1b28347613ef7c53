"""Which of an agent's files its process has used, so that an edit elsewhere makes nothing stale.

An audit hook sees every file that Python opens and every folder that it lists; modules are seen by
their source. Compiled libraries open files unseen: files of the kinds that they read (`UNSEEN`)
always count as used.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .files import relevant

UNSEEN = (".xml", ".html", ".xhtml", ".db", ".sqlite", ".sqlite3", ".epub", ".jwpub", ".so")
"""Suffixes of files that compiled libraries read without Python's knowledge."""

_EVENTS = frozenset({"open", "os.listdir", "os.scandir", "sqlite3.connect"})


class Usage:
    """Watches from the moment it is made; `folders` (label -> folder) say whose files count."""

    def __init__(self) -> None:
        self._folders: list[tuple[str, str]] = []
        self._seen: dict[str, bool] = {}
        self._modules: set[str] = set()
        self._told: set[str] = set()
        self._own = threading.local()
        sys.addaudithook(self._hook)

    def watch(self, folders: Mapping[str, str]) -> None:
        """Count files below these folders, also those used before."""
        real = {label: os.path.realpath(folder) + os.sep for label, folder in folders.items()}
        self._folders = sorted(real.items(), key=lambda item: -len(item[1]))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Don't count what this thread does: hashing a file is not using it."""
        self._own.paused = True
        try:
            yield
        finally:
            self._own.paused = False

    def fresh(self) -> list[str]:
        """What was used since the last time, as `label/path`; a listed folder ends with `/`."""
        used = {self._label(path, listed) for path, listed in self._take().items()}
        new = sorted(name for name in used - self._told if name)
        self._told.update(new)
        return new

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if event not in _EVENTS or getattr(self._own, "paused", False):
            return
        if args and isinstance(args[0], (str, bytes, os.PathLike)):
            try:
                path = os.path.abspath(os.fsdecode(args[0]))
            except (OSError, ValueError):
                return
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

    def _label(self, path: str, listed: bool) -> str:
        real = os.path.realpath(path) + (os.sep if listed else "")
        for label, folder in self._folders:
            if real.startswith(folder):
                below = real[len(folder) :].replace(os.sep, "/")
                return f"{label}/{below}" if relevant(below) else ""
        return ""

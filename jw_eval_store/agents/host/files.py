"""Content hashes of the files that an agent depends on, remembered within the process."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from typing import Optional

IGNORED_FOLDERS = frozenset({"__pycache__", "node_modules", "venv", "site-packages"})
IGNORED_SUFFIXES = (".pyc", ".pyo")

_known: dict[str, tuple[tuple[int, ...], str]] = {}


def file_hash(path: str) -> Optional[str]:
    """`sha256:<hex>` of a file's bytes; none if it cannot be read.

    Read again only when size, times or inode differ from the last look.
    """
    try:
        stat = os.stat(path)
        stamp = (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino, stat.st_dev)
        known = _known.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        with open(path, "rb") as file:
            digest = "sha256:" + hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None
    _known[path] = (stamp, digest)
    return digest


def relevant(path: str) -> bool:
    """Whether a file can change an answer: not compiled, not in a hidden or cache folder."""
    parts = path.replace(os.sep, "/").split("/")
    hidden = any(part.startswith(".") or part in IGNORED_FOLDERS for part in parts[:-1])
    return not hidden and not path.endswith(IGNORED_SUFFIXES)


def files_below(folder: str) -> Iterator[str]:
    """Relative paths, `/` separated and sorted, of the relevant files below a folder.

    Linked folders count as folders, once each.
    """
    found, seen = [], {os.path.realpath(folder)}
    for parent, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [n for n in folders if _enter(parent, n, seen)]
        found += [os.path.relpath(os.path.join(parent, name), folder) for name in names]
    return iter(sorted(path.replace(os.sep, "/") for path in found if relevant(path)))


def _enter(parent: str, name: str, seen: set[str]) -> bool:
    """Whether to look into a folder; a linked one only where that can't go round in circles."""
    if name in IGNORED_FOLDERS or name.startswith("."):
        return False
    path = os.path.join(parent, name)
    if not os.path.islink(path):
        return True
    real = os.path.realpath(path)
    if any(known == real or known.startswith(real + os.sep) for known in seen):
        return False
    seen.add(real)
    return True


def hashes_below(folder: str, label: str) -> dict[str, str]:
    """Content hashes of a folder's files, by `label/relative path`."""
    hashed = (
        (f"{label}/{path}", file_hash(os.path.join(folder, path))) for path in files_below(folder)
    )
    return {path: digest for path, digest in hashed if digest is not None}

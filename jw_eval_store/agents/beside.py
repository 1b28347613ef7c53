"""Modules beside an agent's package that it imports: an edit to them must be noticed as well.

Only names that stand in the code are seen: `import helper` anywhere, also inside a function, and
`import_module("helper")`. What is installed counts by its version, so it is left out here.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path

from jw_eval_store.agents.host.distributions import is_below
from jw_eval_store.agents.host.files import file_hash, files_below, hashes_below

_IMPORT = re.compile(
    rb"""^[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+([\w. \t,]+))"""
    rb"""|import_module\(\s*["'](\w+)""",
    re.MULTILINE,
)
_OURS = frozenset({"jw_eval_store", "jw_eval_cli"})


def hashes_beside(folders: Mapping[str, str]) -> dict[str, str]:
    """Content hashes, by `beside/relative path`, of what the code below these folders imports.

    Modules and whole packages that no distribution installed, and what those import in turn.
    """
    found: dict[str, str] = {}
    seen: set[str] = set()
    waiting = list(folders.values())
    while waiting:
        for name in _imported(waiting.pop()) - seen:
            seen.add(name)
            place = _place(name)
            if place is not None and not any(is_below(place, own) for own in folders.values()):
                found |= _hashes(place)
                waiting.append(place)
    return found


def _hashes(place: str) -> dict[str, str]:
    label = f"beside/{Path(place).name}"
    if Path(place).is_dir():
        return hashes_below(place, label)
    return {label: file_hash(place) or ""}


def _imported(place: str) -> set[str]:
    """Names of the top-level modules that stand in the code of a file, or below a folder."""
    if not Path(place).is_dir():
        return set(_names(place, file_hash(place)))
    paths = (str(Path(place) / name) for name in files_below(place) if name.endswith(".py"))
    return {name for path in paths for name in _names(path, file_hash(path))}


@lru_cache(maxsize=4096)
def _names(path: str, digest: str | None) -> frozenset[str]:
    """Read again only where the content is another; none where the file is gone."""
    if digest is None:
        return frozenset()
    return frozenset(_matched(Path(path).read_bytes()))


def _matched(source: bytes) -> Iterator[str]:
    for whole, several, dynamic in _IMPORT.findall(source):
        for part in (whole or several or dynamic).split(b","):
            name = part.strip().partition(b" ")[0].partition(b".")[0]
            if name:
                yield name.decode()


def _place(name: str) -> str | None:
    """Folder of a package, or file of a module, that nothing installed; else none."""
    if name in _OURS or name in sys.stdlib_module_names:
        return None
    try:
        spec = PathFinder.find_spec(name)
    except (ImportError, ValueError):
        return None
    places = [] if spec is None else [*(spec.submodule_search_locations or ()), spec.origin]
    place = next((str(found) for found in places if found), None)
    return None if place is None or _is_installed(place) else place


def _is_installed(place: str) -> bool:
    parts = Path(place).resolve().parts
    if "site-packages" in parts or "dist-packages" in parts:
        return True
    paths = sysconfig.get_paths()
    return any(is_below(place, paths[kind]) for kind in ("stdlib", "platstdlib", "purelib"))

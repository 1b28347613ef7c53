"""Whether the code that this process imported is still what its files hold.

A process that lives long (an MCP server, a notebook) goes on with what it imported first. Its
answers would be taken for those of the files as they are now.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from jw_eval_store.agents.host.files import file_hash

_known: dict[str, tuple[Any, str | None]] = {}
"""By name of a module: the import that brought it, and what its file held when first looked at."""


def outdated(places: Iterable[str]) -> list[str]:
    """Files below these folders (or these files) that have changed since they were imported here.

    Notes what was imported since the last look. A module that was reloaded is new.
    """
    return sorted(path for name, path in _imported(tuple(places)) if _has_changed(name, path))


def _has_changed(name: str, path: str) -> bool:
    spec, digest = getattr(sys.modules.get(name), "__spec__", None), file_hash(path)
    known = _known.get(name)
    if known is None or known[0] is not spec:
        _known[name] = known = (spec, digest)
    return known[1] != digest


def _imported(places: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Name and file of each imported module there."""
    real = {_real(place) for place in places}
    below = tuple(f"{place}{os.sep}" for place in real)
    for name, module in sys.modules.copy().items():
        file = getattr(module, "__file__", None) if isinstance(module, ModuleType) else None
        if isinstance(file, str):
            folder, _, own = file.rpartition(os.sep)
            path = f"{_real(folder)}{os.sep}{own}"
            if path in real or path.startswith(below):
                yield name, path


@lru_cache(maxsize=4096)
def _real(path: str) -> str:
    return str(Path(path).resolve())

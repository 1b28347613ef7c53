"""What a Python agent is made of, as far as can be known without watching it."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import metadata
from typing import Any, Optional

from .distributions import closure, editables, is_below, names, owner, versions
from .files import hashes_below, relevant

Depends = dict[str, dict[str, str]]
Folders = dict[str, str]

_OURS = ("jw_eval_store", "_jw_eval_host", "__main__")


def depends_on(function: Callable[..., Any], folders: Mapping[str, str]) -> Optional[Depends]:
    """`files` (label/path -> content hash) and `versions` of an agent's function.

    Files are those below its folders (see `folders_of`); versions those of all that its
    distribution requires, or of all that is installed where it has none. None without a folder:
    whatever it imports would be missed.
    """
    if not folders:
        return None
    files: dict[str, str] = {}
    for label, folder in folders.items():
        files.update(hashes_below(folder, label))
    return {"files": files, "versions": dict(_versions(_package(function)))}


def folders_of(function: Callable[..., Any], roots: Mapping[str, str]) -> Folders:
    """Label -> folder of what counts as the agent's files; empty: unknown.

    The configured roots; else the agent's whole package, and the sources of editable installs: its
    own, those that it requires, and those that are imported in its process.
    """
    if roots:
        return dict(roots)
    package = _package(function)
    own = _package_folders(package)
    if not own:
        return {}
    required = names(_distributions(package)) if _owner(package) else set()
    sources = {
        name: folder
        for name, folder in editables().items()
        if name in required or (package not in _OURS and _is_imported(folder))
    }
    rest = {
        label: path
        for label, path in own.items()
        if not any(is_below(path, folder) for folder in sources.values())
    }
    return {**sources, **rest}


def _is_imported(folder: str) -> bool:
    files = (
        getattr(module, "__file__", None)
        for name, module in sys.modules.copy().items()
        if name.partition(".")[0] not in _OURS
    )
    return any(
        isinstance(file, str) and is_below(file, folder) and relevant(os.path.relpath(file, folder))
        for file in files
    )


def _package(function: Callable[..., Any]) -> str:
    function = inspect.unwrap(getattr(function, "func", function))
    module = getattr(function, "__module__", None) or type(function).__module__
    return str(module).partition(".")[0]


def _package_folders(package: str) -> Folders:
    paths = list(getattr(sys.modules.get(package), "__path__", ()))
    return {package if n == 0 else f"{package}#{n}": path for n, path in enumerate(paths)}


@lru_cache(maxsize=None)
def _owner(package: str) -> Optional[str]:
    return owner(package, _package_folders(package).values())


@lru_cache(maxsize=None)
def _distributions(package: str) -> tuple[metadata.Distribution, ...]:
    name = _owner(package)
    return tuple(closure([name]) if name else metadata.distributions())


@lru_cache(maxsize=None)
def _versions(package: str) -> Mapping[str, str]:
    return versions(_distributions(package))

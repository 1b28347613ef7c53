"""What a Python agent is made of, as far as can be known without watching it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import metadata
from typing import Any, Optional

from .distributions import closure, editable_folder, owner, versions
from .files import hashes_below

Depends = dict[str, dict[str, str]]


def depends_on(function: Callable[..., Any], roots: Mapping[str, str]) -> Optional[Depends]:
    """`files` (label/path -> content hash) and `versions` of an agent's function.

    Files are those of its roots (label -> folder), else of its whole package and of the editable
    installs that it requires. None where neither is known (a function of `__main__`, or a module
    outside of any package): whatever it imports would be missed.
    """
    package = _package(function)
    distributions = _distributions(package)
    folders = dict(roots) or _package_folders(package)
    if not folders:
        return None
    if not roots:
        folders = {**_editable(distributions), **folders}
    files: dict[str, str] = {}
    for label, folder in folders.items():
        files.update(hashes_below(folder, label))
    return {"files": files, "versions": versions(distributions)}


def _package(function: Callable[..., Any]) -> str:
    function = inspect.unwrap(getattr(function, "func", function))
    module = getattr(function, "__module__", None) or type(function).__module__
    return str(module).partition(".")[0]


def _package_folders(package: str) -> dict[str, str]:
    paths = list(getattr(sys.modules.get(package), "__path__", ()))
    return {package if n == 0 else f"{package}#{n}": path for n, path in enumerate(paths)}


@lru_cache(maxsize=None)
def _distributions(package: str) -> tuple[metadata.Distribution, ...]:
    """The package's distribution with all it requires; all that is installed if it has none."""
    name = owner(package)
    return tuple(closure([name]) if name else metadata.distributions())


def _editable(distributions: tuple[metadata.Distribution, ...]) -> dict[str, str]:
    """Source folders of editable installs among them, by distribution name."""
    folders = ((d.metadata["Name"], editable_folder(d)) for d in distributions)
    return {name: folder for name, folder in folders if folder}

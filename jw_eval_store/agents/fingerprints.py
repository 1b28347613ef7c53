"""What an agent's answers depend on, for adapters without a host: files, versions, settings."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from jw_eval_store.agents.host.distributions import closure, editable_folder, owner, versions
from jw_eval_store.agents.host.files import hashes_below
from jw_eval_store.agents.interface import AgentFingerprint
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.domain.settings import AgentSettings


def callable_fingerprint(
    agent: str,
    origin: str,
    function: Callable[..., Any],
    settings: AgentSettings,
    roots: Mapping[str, Path],
) -> AgentFingerprint | None:
    """Fingerprint of a Python callable: its roots' files, else those of its whole package.

    None where neither is known (a function of `__main__`, or a module outside of any package):
    whatever it imports would be missed.
    """
    package = _package(function)
    distributions = _distributions(package)
    folders = roots or _package_folders(package)
    if not folders:
        return None
    files: dict[str, str] = {}
    for label, folder in {**({} if roots else _editable(distributions)), **folders}.items():
        files |= hashes_below(str(folder), label)
    return AgentFingerprint(
        agent, origin, files, versions(distributions), settings_fingerprint(settings)
    )


def root_folders(roots: tuple[str, ...], base: Path) -> dict[str, Path]:
    """Configured roots by label: as written, or the last part of an absolute one.

    Raises UsageError for a folder that does not exist, since it would never look changed.
    """
    found = {}
    for root in roots:
        path = (base / root).expanduser().resolve()
        if not path.is_dir():
            raise UsageError(
                f"roots = {root!r}: there is no folder {path}",
                hint="write folders relative to the configuration file",
            )
        label = path.name if Path(root).is_absolute() else Path(root).as_posix()
        found[str(path) if label in found else label] = path
    return found


def settings_fingerprint(settings: AgentSettings) -> dict[str, str]:
    """The adapter's options and the listed environment variables (as digests: may be secret)."""
    options = settings.model_dump(mode="json", exclude_defaults=True, include=_OPTIONS)
    environment = {
        f"env {name}": content_hash(os.environ[name]) for name in settings.env if name in os.environ
    }
    return {key: str(value) for key, value in options.items()} | environment


_OPTIONS = {"adapter", "target", "tool", "rename", "network", "volatile", "match_on", "isolation"}


def _package(function: Callable[..., Any]) -> str:
    function = inspect.unwrap(getattr(function, "func", function))
    module = getattr(function, "__module__", None) or type(function).__module__
    return str(module).partition(".")[0]


def _package_folders(package: str) -> dict[str, Path]:
    paths = list(getattr(sys.modules.get(package), "__path__", ()))
    return {package if n == 0 else f"{package}#{n}": Path(p) for n, p in enumerate(paths)}


@cache
def _distributions(package: str) -> tuple[metadata.Distribution, ...]:
    """The package's distribution with all it requires; all that is installed if it has none."""
    name = owner(package)
    return tuple(closure([name]) if name else metadata.distributions())


def _editable(distributions: tuple[metadata.Distribution, ...]) -> dict[str, Path]:
    """Source folders of editable installs among them, by distribution name."""
    folders = ((d.metadata["Name"], editable_folder(d)) for d in distributions)
    return {name: Path(folder) for name, folder in folders if folder}

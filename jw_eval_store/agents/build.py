"""Make the adapter that an agent's settings ask for."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from jw_eval_store.agents.fingerprints import root_folders
from jw_eval_store.agents.in_process import InProcessAgent
from jw_eval_store.agents.interface import Agent
from jw_eval_store.agents.outage import check_patterns
from jw_eval_store.agents.unavailable import UnavailableAgent
from jw_eval_store.agents.volatile import check_paths
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings


def build_agent(name: str, origin: str, settings: AgentSettings, root: Path) -> Agent:
    """The agent, ready to be asked. Raises UsageError for settings that cannot be right."""
    check_paths(settings.volatile)
    check_patterns(settings.outage_patterns)
    roots = root_folders(settings.roots, root)
    _importable(root)
    try:
        function = load(settings.target)
    except UsageError as exc:
        raise UsageError(f"agent {name!r}: {exc.message}", hint=exc.hint) from exc
    except BaseException as exc:
        return UnavailableAgent(name, origin, _import_failure(exc))
    return InProcessAgent(name, origin, function, settings, roots)


def load(target: str) -> Callable[..., Any]:
    """The callable at `package.module:function`.

    Raises UsageError where it does not exist; whatever importing it raises is passed on.
    """
    module_name, colon, path = target.partition(":")
    if not (module_name and colon and path):
        raise UsageError(
            f"target = {target!r} is not of the form package.module:function",
            hint="write it like jw_agents.apologetics:apologetics",
        )
    try:
        found: Any = import_module(module_name)
    except ModuleNotFoundError as exc:
        if exc.name is None or not f"{module_name}.".startswith(f"{exc.name}."):
            raise
        raise UsageError(
            f"target = {target!r}: there is no module {exc.name!r} in {sys.executable}",
            hint="install it there, or name the interpreter that has it: python = '...'",
        ) from exc
    for part in path.split("."):
        if not hasattr(found, part):
            raise UsageError(
                f"target = {target!r}: {module_name} has no {path!r}",
                hint="check the function's name after the colon",
            )
        found = getattr(found, part)
    if not callable(found):
        raise UsageError(f"target = {target!r} is {type(found).__name__}, not a function")
    function: Callable[..., Any] = found
    return function


def _importable(root: Path) -> None:
    """Agents beside the configuration can be imported; what is installed goes before them."""
    if str(root) not in sys.path:
        sys.path.append(str(root))


def _import_failure(exc: BaseException) -> str:
    if isinstance(exc, KeyboardInterrupt):
        raise exc
    last = traceback.format_list(traceback.extract_tb(exc.__traceback__)[-2:])
    cause = "".join(traceback.format_exception_only(type(exc), exc))
    return f"importing it failed: {cause}{''.join(last)}".rstrip()

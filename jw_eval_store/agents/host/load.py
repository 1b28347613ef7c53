"""Find the agent's function by its target, `package.module:function`."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any


class TargetError(ValueError):
    """The target does not exist here: a wrong configuration. `hint` is the next step."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def load(target: str) -> Callable[..., Any]:
    """The callable. Raises TargetError, and passes on whatever importing its module raises."""
    module_name, _, path = target.partition(":")
    if not (module_name and path):
        raise TargetError(
            f"target = {target!r} is not of the form package.module:function",
            "write it like jw_agents.apologetics:apologetics",
        )
    found: Any = _module(module_name, target)
    for part in path.split("."):
        if not hasattr(found, part):
            raise TargetError(
                f"target = {target!r}: {module_name} has no {path!r}",
                "check the function's name after the colon",
            )
        found = getattr(found, part)
    if not callable(found):
        raise TargetError(
            f"target = {target!r} is {type(found).__name__}, not a function",
            "name a function, or an object that can be called",
        )
    function: Callable[..., Any] = found
    return function


def extend_path(folders: list[str]) -> None:
    """Make agents beside the configuration importable; what is installed goes before them."""
    sys.path.extend(folder for folder in folders if folder not in sys.path)


def import_failure(exc: BaseException) -> str:
    """Why a module that exists could not be imported, with the place."""
    last = traceback.format_list(traceback.extract_tb(exc.__traceback__)[-2:])
    cause = "".join(traceback.format_exception_only(type(exc), exc))
    return f"importing it failed: {cause}{''.join(last)}".rstrip()


def _module(name: str, target: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as exc:
        if exc.name is None or not f"{name}.".startswith(f"{exc.name}."):
            raise
        raise TargetError(
            f"target = {target!r}: there is no module {exc.name!r} in {sys.executable}",
            "install it there, or name the interpreter that has it: python = '...'",
        ) from exc

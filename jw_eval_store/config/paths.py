"""Make configured paths absolute: each starts from the folder of whoever set it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jw_eval_store.config.values import Sourced

PATH_KEYS = ("db", "snapshots", "recordings", "policy")
PATH_LIST_KEYS = ("cases",)


def resolved(key: str, value: Sourced) -> Any:
    """The value with its paths absolute; what is no text is left for validation to refuse."""
    if key in PATH_KEYS:
        return _absolute(value.value, value.base)
    if key in PATH_LIST_KEYS:
        return _each_absolute(value.value, value.base)
    if key == "python":
        return _interpreter(value.value, value.base)
    if key.startswith("agents.") and isinstance(value.value, Mapping):
        return _agent(value.value, value.base)
    return value.value


def _agent(table: Mapping[str, Any], base: Path) -> dict[str, Any]:
    agent = dict(table)
    if "roots" in agent:
        agent["roots"] = _each_absolute(agent["roots"], base)
    if "python" in agent:
        agent["python"] = _interpreter(agent["python"], base)
    return agent


def _interpreter(value: object, base: Path) -> object:
    """A path where it names a folder; a bare name is looked up in PATH when it is started."""
    if isinstance(value, str) and ("/" in value or os.sep in value or value.startswith("~")):
        return _absolute(value, base)
    return value


def _absolute(value: object, base: Path) -> object:
    """Not resolved through links: an environment's python is a link, and must stay one."""
    if not isinstance(value, str) or not value.strip():
        return value
    return os.path.normpath(base / Path(value).expanduser())


def _each_absolute(value: object, base: Path) -> object:
    if isinstance(value, list | tuple):
        return [_absolute(item, base) for item in value]
    return _absolute(value, base)

"""Find and read configuration files: the project's, and the user's own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jw_eval_store.config.values import Sourced, flatten
from jw_eval_store.domain.errors import UsageError

FILE_NAME = "jw-eval.toml"


def user_file() -> Path:
    """The user's own file, for what holds in every project (`$XDG_CONFIG_HOME/jw-eval/...`)."""
    from platformdirs import user_config_path

    return user_config_path("jw-eval", appauthor=False) / FILE_NAME


def find_project_file(start: Path) -> Path | None:
    """The nearest jw-eval.toml, or pyproject.toml with `[tool.jw-eval]`, from `start` upwards.

    Raises UsageError where a folder holds both, since one would silently win.
    """
    for folder in (start, *start.parents):
        own, shared = folder / FILE_NAME, folder / "pyproject.toml"
        in_shared = shared.is_file() and _tool_table(shared) is not None
        if own.is_file() and in_shared:
            raise UsageError(
                f"both {own} and [tool.jw-eval] in {shared} configure this project",
                hint="keep one of the two",
            )
        if own.is_file() or in_shared:
            return own if own.is_file() else shared
    return None


def read_values(path: Path) -> dict[str, Sourced]:
    """The values of one file by key. Raises UsageError for what is not TOML or not readable."""
    if path.name == "pyproject.toml":
        table, source = _tool_table(path), f"{path} [tool.jw-eval]"
    else:
        table, source = _read_toml(path), str(path)
    return flatten(table or {}, source, path.parent)


def _tool_table(path: Path) -> Mapping[str, Any] | None:
    tool = _read_toml(path).get("tool")
    table = tool.get("jw-eval") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{path}: tool.jw-eval must be a table, not {table!r}")
    return table


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}", hint="mend the file") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}", hint="save it as UTF-8") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error

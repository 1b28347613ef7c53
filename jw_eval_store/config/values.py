"""One configured value with its source: what files, variables and flags are all read into.

A key is `jobs` or `judge.llm`: two levels, no more, so that an agent's table is one value and is
never mixed from two sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jw_eval_store.domain.errors import UsageError

SECTIONS = ("judge", "embedder", "agents")
"""The tables of the configuration; the last one has an entry an agent."""


@dataclass(frozen=True)
class Sourced:
    """A value as written, who said so (for people), and the folder that its paths start from."""

    value: Any
    source: str
    base: Path


def flatten(table: Mapping[str, Any], source: str, base: Path) -> dict[str, Sourced]:
    """The values of a configuration table by key. Raises UsageError for a section that is none."""
    flat: dict[str, Sourced] = {}
    for key, value in table.items():
        if key not in SECTIONS:
            flat[key] = Sourced(value, source, base)
        elif isinstance(value, Mapping):
            flat.update({f"{key}.{sub}": Sourced(v, source, base) for sub, v in value.items()})
        else:
            raise UsageError(
                f"{source}: {key} must be a table, not {value!r}",
                hint=f"write it as [{key}] (in pyproject.toml: [tool.jw-eval.{key}]) with its keys",
            )
    return flat


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """The inverse of `flatten`, for values without their sources."""
    table: dict[str, Any] = {}
    for key, value in flat.items():
        section, _, rest = key.partition(".")
        if rest:
            table.setdefault(section, {})[rest] = value
        else:
            table[key] = value
    return table

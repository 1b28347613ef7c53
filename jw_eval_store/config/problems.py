"""Say what is wrong with a configured value: its source, the key, the cause and the next step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jw_eval_store.config.values import Sourced
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import (
    AgentSettings,
    EmbedderSettings,
    JudgeSettings,
    Settings,
)
from jw_eval_store.domain.values import Value
from jw_eval_store.text.nearest import nearest

if TYPE_CHECKING:
    from pydantic import ValidationError


SHAPES: dict[str, type[Value]] = {
    "judge": JudgeSettings,
    "embedder": EmbedderSettings,
    "agents": AgentSettings,
}
"""The shape of each section; of each entry, for agents."""


def explain_problem(error: ValidationError, values: Mapping[str, Sourced]) -> UsageError:
    """The first problem of a refused configuration, as an error that a person can act on."""
    detail = error.errors(include_url=False)[0]
    location = [str(part) for part in detail["loc"]]
    source = _source_of(location, values)
    key = ".".join(location)
    if detail["type"] == "extra_forbidden":
        return _unknown_key(key, location, source)
    written = f" (got {detail['input']!r})" if detail["type"] != "missing" else ""
    return UsageError(
        f"{source}: {key}: {detail['msg']}{written}", hint=f"mend {key}; see jw-eval config show"
    )


def _unknown_key(key: str, location: list[str], source: str) -> UsageError:
    if location[0] == "tool":
        hint = "write [agents.NAME], [judge]: the prefix tool.jw-eval is for pyproject.toml only"
        return UsageError(f"{source}: unknown key {key}", hint=hint)
    known = _known_keys(location)
    meant = nearest(location[-1], known)
    hint = f"did you mean {meant}?" if meant else f"known keys: {', '.join(sorted(known))}"
    return UsageError(f"{source}: unknown key {key}", hint=hint)


def _known_keys(location: list[str]) -> list[str]:
    section = SHAPES.get(location[0]) if len(location) > 1 else None
    return list((section or Settings).model_fields)


def _source_of(location: list[str], values: Mapping[str, Sourced]) -> str:
    for key in (location[0], ".".join(location[:2])):
        if key in values:
            return values[key].source
    return "configuration"


def validated(table: dict[str, Any], values: Mapping[str, Sourced]) -> Settings:
    """The settings of a table. Raises UsageError that names the source of the first problem."""
    from pydantic import ValidationError

    try:
        return Settings.model_validate(table)
    except ValidationError as error:
        raise explain_problem(error, values) from error

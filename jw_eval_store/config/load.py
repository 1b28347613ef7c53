"""Read the configuration: flag > variable > project file > user file > default."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jw_eval_store.config.database import DEFAULT_DATABASE
from jw_eval_store.config.environment import environment_values, misspelt_variables
from jw_eval_store.config.files import find_project_file, read_values, user_file
from jw_eval_store.config.paths import resolved
from jw_eval_store.config.problems import SHAPES, validated
from jw_eval_store.config.values import SECTIONS, Sourced, nested
from jw_eval_store.domain.settings import Settings


@dataclass(frozen=True)
class Config:
    """The settings with absolute paths, and what a reader needs to trace them.

    `sources` says for every key (`jobs`, `judge.llm`, `agents.NAME`) who set it. `root` is the
    folder of the project's file (`file`), or the current folder where there is none. `notices`
    are for people: what was probably meant otherwise.
    """

    settings: Settings
    sources: Mapping[str, str]
    root: Path
    file: Path | None = None
    notices: tuple[str, ...] = field(default=())

    @property
    def database(self) -> Path:
        """The database file, absolute."""
        return Path(self.settings.db) if self.settings.db else self.root / DEFAULT_DATABASE

    def described(self) -> list[tuple[str, str, str]]:
        """Every key with its value as JSON and its source."""
        dumped = self.settings.model_dump(mode="json")
        values = {key: value for key, value in dumped.items() if key not in SECTIONS}
        for section in SECTIONS:
            values |= {f"{section}.{key}": value for key, value in dumped[section].items()}
        return [
            (key, json.dumps(values[key], ensure_ascii=False), source)
            for key, source in self.sources.items()
        ]


POLICY_FILE = "policy.yaml"
"""What `jw-eval init` calls it."""


def load_config(
    cwd: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Config:
    """The configuration that holds in `cwd` (default: the current folder).

    `overrides` are flags by key (`db`, `judge.llm`); one that is None was not given. Raises
    UsageError, which names the source and the key, for whatever is wrong.
    """
    start = (cwd or Path.cwd()).absolute()
    variables = os.environ if environ is None else environ
    file = find_project_file(start)
    root = file.parent if file else start
    values = _default_values(root)
    for path in (user_file(), file):
        if path is not None and path.is_file():
            values.update(read_values(path))
    values.update(environment_values(variables, start))
    values.update(_flags(overrides or {}, start))
    table = nested({key: resolved(key, value) for key, value in values.items()})
    return Config(
        settings=validated(table, values),
        sources=_sources(values),
        root=root,
        file=file,
        notices=(*misspelt_variables(variables), *_unused_policy(file, values)),
    )


def _unused_policy(file: Path | None, values: Mapping[str, Sourced]) -> Iterator[str]:
    """A policy beside the configuration that nothing names: its rules look as if they held."""
    if file is not None and "policy" not in values and file.with_name(POLICY_FILE).is_file():
        yield (
            f"{POLICY_FILE} stands beside {file.name}, which does not name it, so its rules do not"
            f' hold: policy = "{POLICY_FILE}"'
        )


def _default_values(root: Path) -> dict[str, Sourced]:
    return {"db": Sourced(str(DEFAULT_DATABASE), "default", root)}


def _flags(overrides: Mapping[str, Any], start: Path) -> dict[str, Sourced]:
    return {
        key: Sourced(value, f"flag --{key.replace('.', '-').replace('_', '-')}", start)
        for key, value in overrides.items()
        if value is not None
    }


def _sources(values: Mapping[str, Sourced]) -> dict[str, str]:
    """Every key with its source, in the order of the settings; agents last, as they were read."""
    keys: list[str] = [key for key in Settings.model_fields if key not in SECTIONS]
    for section in ("judge", "embedder"):
        keys += [f"{section}.{key}" for key in SHAPES[section].model_fields]
    keys += [key for key in values if key.startswith("agents.")]
    return {key: values[key].source if key in values else "default" for key in keys}

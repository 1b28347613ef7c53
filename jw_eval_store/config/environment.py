"""Configuration by environment variables (`JW_EVAL_*`). An empty variable counts as unset."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from jw_eval_store.config.values import Sourced
from jw_eval_store.text.nearest import nearest

PREFIX = "JW_EVAL_"
VARIABLES = {
    "JW_EVAL_DB": "db",
    "JW_EVAL_CASES": "cases",
    "JW_EVAL_SNAPSHOTS": "snapshots",
    "JW_EVAL_RECORDINGS": "recordings",
    "JW_EVAL_POLICY": "policy",
    "JW_EVAL_PRESET": "preset",
    "JW_EVAL_SAMPLES": "samples",
    "JW_EVAL_JOBS": "jobs",
    "JW_EVAL_LLM": "judge.llm",
    "JW_EVAL_LLM_MODEL": "judge.model",
    "JW_EVAL_LLM_URL": "judge.url",
    "JW_EVAL_NLI": "judge.nli",
    "JW_EVAL_EMBEDDER": "embedder.backend",
    "JW_EVAL_EMBEDDER_MODEL": "embedder.model",
    "JW_EVAL_EMBEDDER_URL": "embedder.url",
}
"""Variable -> key of the configuration."""


def environment_values(environ: Mapping[str, str], base: Path) -> dict[str, Sourced]:
    """The values that variables set, by key; relative paths start from `base`.

    `JW_EVAL_CASES` may hold several folders, separated as in PATH.
    """
    found: dict[str, Sourced] = {}
    for variable, key in VARIABLES.items():
        text = environ.get(variable, "").strip()
        value = [part for part in text.split(os.pathsep) if part] if key == "cases" else text
        if value:
            found[key] = Sourced(value, f"variable {variable}", base)
    return found


def misspelt_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence for each variable that looks like one of ours and is none."""
    names = {variable.removeprefix(PREFIX): variable for variable in VARIABLES}
    notices = []
    for variable in sorted(environ):
        if variable.startswith(PREFIX) and variable not in VARIABLES and environ[variable].strip():
            meant = nearest(variable.removeprefix(PREFIX), names)
            if meant:
                notices.append(f"variable {variable} is not known; did you mean {names[meant]}?")
    return tuple(notices)

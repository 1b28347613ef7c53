"""Where the database is, found without reading the rest of the configuration.

Commands that only read ask no more, and start in half the time: the shape of the configuration
needs pydantic, which takes longer to import than most of their questions to answer.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from jw_eval_store.config.environment import VARIABLES, misspelt_variables
from jw_eval_store.config.files import find_project_file, read_values, user_file
from jw_eval_store.config.paths import resolved
from jw_eval_store.config.values import Sourced
from jw_eval_store.domain.errors import UsageError

DEFAULT_DATABASE = Path(".jw-eval", "results.db")


class HasDatabase(Protocol):
    """What reading commands need of a configuration."""

    @property
    def database(self) -> Path:
        """The database file, absolute."""


@dataclass(frozen=True)
class Located:
    """The database file, the project's folder, and notices for people."""

    database: Path
    root: Path
    notices: tuple[str, ...] = field(default=())


def locate(
    db: str | None = None, cwd: Path | None = None, environ: Mapping[str, str] | None = None
) -> Located:
    """The file that `load_config` would name, by the same precedence. Raises UsageError.

    Only the key `db` is checked; what else is wrong is said by the commands that use it.
    """
    start = (cwd or Path.cwd()).absolute()
    variables = os.environ if environ is None else environ
    file = find_project_file(start)
    root = file.parent if file else start
    found = _first(db, start, variables, file) or Sourced(str(DEFAULT_DATABASE), "default", root)
    if not isinstance(found.value, str) or not found.value.strip():
        raise UsageError(
            f"{found.source}: db: not a path (got {found.value!r})",
            hint="mend db; see jw-eval config show",
        )
    return Located(Path(str(resolved("db", found))), root, misspelt_variables(variables))


def _first(
    db: str | None, start: Path, variables: Mapping[str, str], file: Path | None
) -> Sourced | None:
    if db is not None:
        return Sourced(db, "flag --db", start)
    name = next(variable for variable, key in VARIABLES.items() if key == "db")
    if variables.get(name, "").strip():
        return Sourced(variables[name].strip(), f"variable {name}", start)
    for path in (file, user_file()):
        values = read_values(path) if path is not None and path.is_file() else {}
        if "db" in values:
            return values["db"]
    return None

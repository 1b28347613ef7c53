"""The views that people may rely on: one `.sql` file each, dropped and made again by migrations."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "sql" / "views"


@dataclass(frozen=True)
class View:
    """One view: what its header says, and its SELECT.

    The header is lines of comments: `-- purpose: ...`, `-- grain: ...`, `-- columns:`, and a line
    `--   name: meaning` for each column in order.
    """

    name: str
    purpose: str
    grain: str
    columns: dict[str, str]
    select: str


@cache
def all_views() -> tuple[View, ...]:
    """All views by name. Raises ValueError for a file whose header is not as described."""
    return tuple(_parsed(path) for path in sorted(_FOLDER.glob("v_*.sql")))


def create(connection: sqlite3.Connection) -> None:
    """Make all views, in a transaction of the caller."""
    for view in all_views():
        connection.execute(f"CREATE VIEW {view.name} AS\n{view.select}")


def drop(connection: sqlite3.Connection) -> None:
    """Drop our views, older ones too: SQLite refuses to rewrite a table that a view mentions."""
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'view' AND name LIKE 'v\\_%' ESCAPE '\\'"
    )
    for (name,) in names.fetchall():
        connection.execute(f'DROP VIEW "{name}"')


def _parsed(path: Path) -> View:
    lines = path.read_text(encoding="utf-8").splitlines()
    header = [line[2:] for line in lines if line.startswith("--")]
    select = "\n".join(line for line in lines if not line.startswith("--")).strip().rstrip(";")
    fields = {"purpose": "", "grain": ""}
    columns: dict[str, str] = {}
    for line in header:
        word, colon, rest = line.strip().partition(": ")
        if line.startswith("   ") and colon:
            columns[word] = rest
        elif word in fields:
            fields[word] = rest
    if not (fields["purpose"] and fields["grain"] and columns and select):
        raise ValueError(f"{path.name}: the header lacks purpose, grain or columns")
    return View(path.stem, fields["purpose"], fields["grain"], columns, select)

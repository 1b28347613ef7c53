"""The views that people may rely on: one `.sql` file each, dropped and made again by migrations."""

from __future__ import annotations

import re
import sqlite3
import zlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "sql" / "views"


_COLUMN = re.compile(r"--   (\w+): (.+)")
_CONTINUED = re.compile(r"--     (\S.*)")


class View(NamedTuple):
    """One view: what its header says, and the text of its file, header and SELECT.

    The header is lines of comments: `-- purpose: ...`, `-- grain: ...`, `-- columns:`, and a line
    `--   name: meaning` for each column in order, continued by lines that stand further in.
    """

    name: str
    purpose: str
    grain: str
    columns: dict[str, str]
    sql: str

    @property
    def statement(self) -> str:
        """The CREATE VIEW; the header stays in it for those who open the file elsewhere."""
        return f"CREATE VIEW {self.name} AS\n{self.sql}"


@cache
def view_docs() -> tuple[View, ...]:
    """All views by name. Raises ValueError for a file whose header is not as described."""
    return tuple(_parsed(path) for path in sorted(_FOLDER.glob("v_*.sql")))


def create(connection: sqlite3.Connection) -> None:
    """Make all views, in a transaction of the caller."""
    for view in view_docs():
        connection.execute(view.statement)
    connection.execute(f"PRAGMA user_version = {stamp()}")


@cache
def stamp() -> int:
    """A checksum of all view files, kept in the file's `user_version`: tells whether its views are
    this version's without looking at each.
    """
    checksum = 0
    for path in sorted(_FOLDER.glob("v_*.sql")):
        checksum = zlib.crc32(path.read_bytes(), checksum)
    return checksum & 0x7FFF_FFFF


def are_current(connection: sqlite3.Connection) -> bool:
    """Whether the file's views are this version's."""
    return bool(connection.execute("PRAGMA user_version").fetchone()[0] == stamp())


def renew(connection: sqlite3.Connection) -> None:
    """Replace the views of another version, in a transaction of the caller."""
    if not are_current(connection):
        drop(connection)
        create(connection)


def differing(connection: sqlite3.Connection) -> list[str]:
    """Names of views that the file lacks, or holds in another form."""
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
    there = dict(rows)
    return [view.name for view in view_docs() if there.get(view.name) != view.statement]


def drop(connection: sqlite3.Connection) -> None:
    """Drop our views, older ones too: SQLite refuses to rewrite a table that a view mentions."""
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'view' AND name LIKE 'v\\_%' ESCAPE '\\'"
    )
    for (name,) in names.fetchall():
        connection.execute(f'DROP VIEW "{name}"')


def _parsed(path: Path) -> View:
    sql = path.read_text(encoding="utf-8").strip()
    fields = dict(re.findall(r"^-- (purpose|grain): (.+)$", sql, re.MULTILINE))
    columns = _columns(sql)
    if len(fields) != 2 or not columns:
        raise ValueError(f"{path.name}: the header lacks purpose, grain or columns")
    return View(path.stem, fields["purpose"], fields["grain"], columns, sql)


def _columns(sql: str) -> dict[str, str]:
    columns: dict[str, str] = {}
    for line in sql.splitlines():
        if found := _COLUMN.fullmatch(line):
            columns[found[1]] = found[2]
        elif columns and (more := _CONTINUED.fullmatch(line)):
            columns[next(reversed(columns))] += " " + more[1]
    return columns

"""A database for each test, and a way to fill every table of any schema revision."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jw_eval_store.store import connect

ROWS = 3


@pytest.fixture(scope="session")
def new_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as the program makes it; tests take copies."""
    path = tmp_path_factory.mktemp("store") / "new.db"
    connect.open_for_writing(path).close()
    return path


@pytest.fixture
def db(new_database: Path, tmp_path: Path) -> Path:
    """A new, empty database."""
    return Path(shutil.copy(new_database, tmp_path / "results.db"))


@pytest.fixture
def conn(db: Path) -> Iterator[connect.Connection]:
    """A connection that may write to `db`."""
    with connect.writing(db) as connection:
        yield connection


@pytest.fixture
def fill() -> Callable[[Path], dict[str, int]]:
    """Fills every table of a database, whatever its revision; gives rows by table."""
    return fill_every_table


def fill_every_table(path: Path) -> dict[str, int]:
    """Rows 1 to 3 of every empty table; row n refers to row n of other tables. Values come from
    types, references and checks, so that a later revision needs nothing new here.
    """
    with closing(connect.connect(path)) as connection:
        tables = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite%' AND name <> 'alembic_version'"
        ).fetchall()
        with connect.transaction(connection):
            for name, sql in tables:
                if connection.execute(f"SELECT 1 FROM {name}").fetchone() is None:
                    _fill(connection, name, sql)
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for name, _ in tables
        }


def _fill(connection: sqlite3.Connection, table: str, sql: str) -> None:
    references = {row["from"] for row in connection.execute(f"PRAGMA foreign_key_list({table})")}
    words = dict(re.findall(r"CHECK \((\w+) IN \('(\w+)'", sql))
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    for number in range(1, ROWS + 1):
        values = {
            column["name"]: _value(column, number, column["name"] in references, words)
            for column in columns
        }
        marks = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO {table} VALUES ({marks})", tuple(values.values()))


def _value(column: sqlite3.Row, number: int, refers: bool, words: dict[str, str]) -> object:
    name, kind = column["name"], column["type"]
    if name in words:
        return words[name]
    if refers or name == "id" or kind == "INTEGER":
        return number
    return {"REAL": number / 10, "BLOB": bytes([number])}.get(kind, f"{name} {number}")

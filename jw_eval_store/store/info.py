"""How big the file is, and what takes the room."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.store import connect
from jw_eval_store.store.revision import NEWEST


@dataclass(frozen=True)
class TableInfo:
    """One table. `size` is bytes, its indexes included; none where SQLite can't tell."""

    name: str
    rows: int
    size: int | None


@dataclass(frozen=True)
class StoreInfo:
    """The whole file. Sizes in bytes; `journal_size` is what waits in the journal beside it."""

    path: Path
    revision: str
    newest: str
    size: int
    journal_size: int
    sqlite_version: str
    tables: tuple[TableInfo, ...]
    results: int

    @property
    def bytes_per_result(self) -> float | None:
        """The file's size over the results in it, all tables counted; none without results."""
        return self.size / self.results if self.results else None


def info(path: Path) -> StoreInfo:
    """Read it all: rows are counted, so that it takes seconds with millions of them."""
    with connect.reading(path) as connection:
        tables = tuple(_tables(connection))
        revision = connect.stored_revision(connection) or ""
    journal = Path(f"{path}-wal")
    return StoreInfo(
        path=path,
        revision=revision,
        newest=NEWEST,
        size=path.stat().st_size,
        journal_size=journal.stat().st_size if journal.exists() else 0,
        sqlite_version=sqlite3.sqlite_version,
        tables=tables,
        results=next(table.rows for table in tables if table.name == "run_result"),
    )


def _tables(connection: connect.Connection) -> list[TableInfo]:
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%'"
        " ESCAPE '\\' ORDER BY name"
    ).fetchall()
    sizes = _sizes(connection)
    return [
        TableInfo(
            name,
            connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0],
            sizes.get(name),
        )
        for (name,) in names
    ]


def _sizes(connection: connect.Connection) -> dict[str, int]:
    """Bytes by table, with its indexes; empty where SQLite was built without `dbstat`."""
    sql = """
        SELECT s.tbl_name, sum(d.pgsize)
        FROM dbstat d JOIN sqlite_schema s ON s.name = d.name
        WHERE d.aggregate = TRUE GROUP BY s.tbl_name
    """
    try:
        return dict(connection.execute(sql))
    except sqlite3.OperationalError as error:
        if "no such table: dbstat" in str(error):
            return {}
        raise

"""Copy the rows of an attached file that are missing, with their references translated."""

from __future__ import annotations

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.merging.tables import MERGED, Merged, Shape, shape_of

_FIRST_NUMBER = 1_000_000_000
"""Revisions come in with numbers below minus this, and are numbered when all are in."""


def copy_rows(conn: Connection) -> None:
    """All tables of the file attached as `src`, parents first; inside a transaction.

    `temp.map_<table>` tells a row's key there from its key here.
    """
    for table in MERGED:
        shape = shape_of(conn, table.name)
        _insert(conn, table, shape)
        if shape.has_key:
            _map(conn, table, shape)


def _insert(conn: Connection, table: Merged, shape: Shape) -> None:
    columns = [c for c in shape.columns if c != "id"]
    values = ", ".join(_value(table, shape, column) for column in columns)
    conn.execute(
        f"INSERT INTO main.{table.name} ({', '.join(columns)}) SELECT {values}"
        f" FROM src.{table.name} s {_joins(table, shape, columns)}"
        f" WHERE NOT EXISTS (SELECT 1 FROM main.{table.name} t WHERE {_same(table, shape)})"
    )


def _map(conn: Connection, table: Merged, shape: Shape) -> None:
    name = f"temp.map_{table.name}"
    conn.execute(f"DROP TABLE IF EXISTS {name}")
    conn.execute(f"CREATE TEMP TABLE map_{table.name} (old INTEGER PRIMARY KEY, new INTEGER)")
    conn.execute(
        f"INSERT INTO {name} SELECT s.id, min(t.id) FROM src.{table.name} s"
        f" {_joins(table, shape, table.key)} JOIN main.{table.name} t ON {_same(table, shape)}"
        " GROUP BY s.id"
    )


def _joins(table: Merged, shape: Shape, columns: tuple[str, ...] | list[str]) -> str:
    """The maps of the tables that these columns refer to."""
    return " ".join(
        f"LEFT JOIN temp.map_{shape.references[c]} m_{c} ON m_{c}.old = s.{c}"
        for c in columns
        if c in shape.references and c not in table.later
    )


def _value(table: Merged, shape: Shape, column: str) -> str:
    if column in table.later:
        return "NULL"
    if table.name == "case_revision" and column == "number":
        return f"-{_FIRST_NUMBER} - s.id"
    return f"m_{column}.new" if column in shape.references else f"s.{column}"


def _same(table: Merged, shape: Shape) -> str:
    """Whether the row `t` here is the row `s` there, by natural key."""
    nullable = ("author", "reason")
    return " AND ".join(
        f"t.{c} {'IS' if c in nullable else '='} {_value(table, shape, c)}" for c in table.key
    )

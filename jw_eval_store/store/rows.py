"""Read many rows as plain tuples: rows by name cost as much again where there are thousands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jw_eval_store.store.connect import Connection


def tuples(
    conn: Connection, sql: str, values: Sequence[object] | Mapping[str, object] = ()
) -> Iterator[tuple[Any, ...]]:
    """The rows of a SELECT as tuples."""
    cursor = conn.cursor()
    cursor.row_factory = None
    return iter(cursor.execute(sql, values))

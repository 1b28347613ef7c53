"""Read many rows as plain tuples: rows by name cost as much again where there are thousands."""

from __future__ import annotations

import json
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


def stored_json(text: str) -> Any:
    """The value of a column that holds JSON; what is none is damage of the file."""
    return json.loads(text)

"""Read-only SQL for people: one SELECT, with a limit of rows and of time, and errors in words.

A read-only connection is not enough, since ATTACH still writes other files: an authorizer lets
through what a SELECT needs, and nothing else.
"""

from __future__ import annotations

import math
import sqlite3
import time
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.domain.errors import JwEvalError, UsageError
from jw_eval_store.store import connect, errors
from jw_eval_store.store.sqlerrors import explained

Scalar = str | bytes | int | float | None
Parameters = Mapping[str, Scalar] | Sequence[Scalar]

_ALLOWED = frozenset(
    (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
)
_FORBIDDEN_FUNCTIONS = frozenset(("load_extension", "fts3_tokenizer"))
_LARGEST_VALUE = 100_000_000
"""Bytes; what one value of a result may hold."""
_MOST_ROWS = 2**31 - 2
"""More can't be asked for in one go, and no memory holds them."""
_JSON_TABLES = "SELECT 1 FROM json_each('[]'), json_tree('[]')"
"""Makes these known to the connection, which looks like a write: before the authorizer is set."""
_STEPS = 20_000
"""Instructions of SQLite's machine between two looks at the clock: about a millisecond."""


@dataclass(frozen=True)
class QueryResult:
    """Rows as tuples of None, int, float, str or bytes. `truncated`: there were more."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    truncated: bool


def query(
    path: Path,
    sql: str,
    parameters: Parameters = (),
    *,
    row_limit: int | None = 1_000,
    seconds: float = 30.0,
) -> QueryResult:
    """The first rows of one SELECT (or VALUES, or EXPLAIN); no limit of rows where it is none.

    `normal(text)` and `plain(text)` are known in it: the normal form of text, in which case doesn't
    count, and the same without accents. Raises UsageError for a wrong or blocked statement and for
    one that takes longer than `seconds`, or a limit that is none; InfrastructureError for the file.
    """
    if row_limit is not None and row_limit < 1:
        raise UsageError(f"limit {row_limit} would leave no row", hint="give 1 or more")
    if row_limit is not None and row_limit >= 2**63:
        what = f"limit {row_limit} is larger than can be stored"
        raise UsageError(what, hint="take a smaller one")
    if not 0 < seconds < math.inf:
        raise UsageError(f"{seconds} seconds are no limit of time", hint="give a number above 0")
    deadline = time.monotonic() + seconds
    with connect.reading(path) as connection:
        _restrict(connection, deadline)
        try:
            cursor = connection.execute(sql, parameters or {})
            rows = (
                cursor.fetchall()
                if row_limit is None
                else cursor.fetchmany(min(row_limit, _MOST_ROWS) + 1)
            )
        except sqlite3.Error as error:
            raise _in_words(error, path, sql, seconds) from error
    if cursor.description is None:
        raise UsageError("there is no statement", hint="for example: select * from v_case")
    kept = rows[:row_limit]
    columns = tuple(column[0] for column in cursor.description)
    return QueryResult(columns, tuple(map(tuple, kept)), len(rows) > len(kept))


def _restrict(connection: connect.Connection, deadline: float) -> None:
    connection.create_function("normal", 1, _normal, deterministic=True)
    connection.create_function("plain", 1, _plain, deterministic=True)
    connection.execute(_JSON_TABLES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE)
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
    connection.set_authorizer(_authorize)


def _authorize(action: int, _: str | None, name: str | None, *__: str | None) -> int:
    allowed = action in _ALLOWED and (name or "").lower() not in _FORBIDDEN_FUNCTIONS
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _in_words(error: sqlite3.Error, path: Path, sql: str, seconds: float) -> JwEvalError:
    name = getattr(error, "sqlite_errorname", "SQLITE_ERROR")
    if name == "SQLITE_INTERRUPT":
        return UsageError(
            f"the query took longer than {seconds:g} s and was stopped",
            hint="filter by run, case_id or agent, or allow more time",
        )
    if name in ("SQLITE_ERROR", "SQLITE_AUTH", "SQLITE_TOOBIG", "SQLITE_RANGE", "SQLITE_MISMATCH"):
        return explained(error, path, sql)
    return errors.translate(error, path)


def _normal(text: Scalar) -> Scalar:
    if not isinstance(text, str):
        return text
    from jw_eval_store.text.normal import normal

    return normal(text)


def _plain(text: Scalar) -> Scalar:
    folded = _normal(text)
    if not isinstance(folded, str):
        return folded
    parts = unicodedata.normalize("NFD", folded)
    return "".join(part for part in parts if not unicodedata.combining(part))

"""What is wrong with a person's SQL: where, and what was probably meant."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.store import connect
from jw_eval_store.text.nearest import did_you_mean, nearest

_LIST = "see the views and their columns with: jw-eval sql --list"


def explained(error: sqlite3.Error, path: Path, sql: str) -> UsageError:
    """The error of a wrong statement, with its place or the nearest name that exists."""
    message = str(error)
    if re.match("not authorized|authorization denied|access to .+ is prohibited", message):
        return _blocked(message)
    if match := re.fullmatch(r'near "(.+)": syntax error', message, re.DOTALL):
        return UsageError(f"syntax error{_place(sql, match[1])}", hint=_keyword_hint(match[1]))
    if match := re.fullmatch(r"no such table: (.+)", message):
        return UsageError(message, hint=_nearest_hint(match[1], _names(path)))
    if match := re.fullmatch(r"no such column: (.+)", message):
        return UsageError(message, hint=_nearest_hint(match[1], _columns(path, sql)))
    return _other(message)


def _blocked(message: str) -> UsageError:
    return UsageError(
        f"only a SELECT is allowed here, and nothing was changed ({message})",
        hint="commands such as jw-eval cases edit and jw-eval db change the store",
    )


def _other(message: str) -> UsageError:
    if "one statement at a time" in message:
        return UsageError("there is more than one statement", hint="give them one by one")
    if "incomplete input" in message:
        return UsageError("the statement breaks off", hint="look for an open bracket or quote")
    if "binding" in message:
        return UsageError(message, hint="give each parameter a value: --param name=value")
    return UsageError(message, hint=_LIST)


def _place(sql: str, token: str) -> str:
    """`at line 2, column 8, near "frm"`; no place where the word stands there more than once."""
    found = [match.start() for match in re.finditer(re.escape(token), sql)]
    if len(found) != 1:
        return f' near "{token}"'
    before = sql[: found[0]]
    column = found[0] - (before.rfind("\n") + 1) + 1
    return f' at line {before.count(chr(10)) + 1}, column {column}, near "{token}"'


def _keyword_hint(token: str) -> str:
    words = ("select", "from", "where", "group", "order", "having", "limit", "join", "with")
    guess = nearest(token.lower(), words)
    if guess and guess != token.lower():
        return f"did you mean {guess}?"
    return "look at what stands just before it"


def _nearest_hint(name: str, known: set[str]) -> str:
    return did_you_mean(name.rpartition(".")[2], known) or _LIST


def _names(path: Path) -> set[str]:
    with closing(connect.open_for_reading(path)) as connection:
        sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
        return {name for (name,) in connection.execute(sql)}


def _columns(path: Path, sql: str) -> set[str]:
    """Columns of the tables and views that the statement mentions."""
    mentioned = _names(path) & set(re.findall(r"\w+", sql))
    with closing(connect.open_for_reading(path)) as connection:
        return {
            column
            for name in mentioned
            for (column,) in connection.execute("SELECT name FROM pragma_table_info(?)", (name,))
        }

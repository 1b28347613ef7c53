"""A prompt for SQL on a terminal: lines up to `;`, history, and completion of views and columns."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from jw_eval_cli.options import synonym
from jw_eval_cli.output import emit, say

HELP = """\
End a statement with ;   Tab completes views and columns.
.list [VIEW]   the views and their columns
.format NAME   table, json, csv or markdown
.quit          or Ctrl-D
"""
_WORDS = (
    "select", "distinct", "from", "where", "group by", "order by", "limit", "having", "join",
    "left join", "and", "not", "null", "like", "between", "count(*)", "case when", "exists",
)  # fmt: skip
FORMATS = ("table", "json", "csv", "markdown")
Ask = Callable[[str, str], str]
"""(statement, format) -> what to print. Raises JwEvalError."""


def prompt(ask: Ask, list_views: Callable[[str | None], str], words: list[str]) -> None:
    """Read and answer statements until the end of input."""
    form = "table"
    with _readline([*words, *_WORDS]):
        emit(HELP)
        for statement in _statements():
            command, _, argument = statement.partition(" ")
            if command in (".quit", ".exit"):
                return
            if command == ".format" and (wanted := synonym(argument, FORMATS)) in FORMATS:
                form = wanted
            elif command == ".list":
                emit(list_views(argument or None))
            elif command.startswith("."):
                emit(HELP)
            else:
                _answer(ask, statement, form)


def _answer(ask: Ask, statement: str, form: str) -> None:
    from jw_eval_store.domain.errors import JwEvalError

    try:
        emit(ask(statement, form))
    except JwEvalError as error:
        say(str(error))


def _statements() -> Iterator[str]:
    """Statements up to their `;`, and lines that start with a dot."""
    lines: list[str] = []
    while True:
        try:
            line = input("    ...> " if lines else "jw-eval> ")
        except EOFError:
            click.echo()
            return
        except KeyboardInterrupt:
            click.echo()
            lines = []
            continue
        if not lines and line.strip().startswith("."):
            yield line.strip()
        elif line.strip():
            lines.append(line)
        if lines and line.rstrip().endswith(";"):
            yield "\n".join(lines)
            lines = []


@contextlib.contextmanager
def _readline(words: list[str]) -> Iterator[None]:
    """History in the user's state folder, and Tab; without the module, a plain prompt."""
    try:
        import readline
    except ImportError:
        yield
        return
    path = _history()
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    readline.set_completer(completer(words))
    readline.set_completer_delims(" \t\n,()=<>.;")
    binding = "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
    readline.parse_and_bind(binding)
    readline.set_history_length(1_000)
    try:
        yield
    finally:
        readline.set_completer(None)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(path)


def completer(words: list[str]) -> Callable[[str, int], str | None]:
    """What readline asks: the n-th word that starts as typed."""
    known = list(dict.fromkeys(words))

    def complete(typed: str, number: int) -> str | None:
        found = [word for word in known if word.startswith(typed.lower())]
        return found[number] if number < len(found) else None

    return complete


def _history() -> Path:
    from platformdirs import user_state_path

    return user_state_path("jw-eval", appauthor=False) / "sql_history"

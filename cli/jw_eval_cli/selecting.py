"""The options that select cases, shared by all commands that do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jw_eval_cli.completion import complete_agent, complete_case, complete_language

if TYPE_CHECKING:
    from jw_eval_store.domain.cases import Layer
    from jw_eval_store.domain.selections import Selection

F = TypeVar("F", bound=Callable[..., Any])
SELECTING = ("layer", "agent", "language", "case", "filters")
"""Names of the parameters that these options fill."""

_OPTIONS = (
    click.option("--layer", multiple=True, metavar="1,2,3", help="Only these layers."),
    click.option(
        "--agent",
        multiple=True,
        shell_complete=complete_agent,
        help="Only cases of this agent; repeatable.",
    ),
    click.option(
        "--language",
        multiple=True,
        shell_complete=complete_language,
        help="Only cases in this language (es, en, ...).",
    ),
    click.option(
        "--case",
        multiple=True,
        metavar="ID",
        shell_complete=complete_case,
        help="Only this case; repeatable.",
    ),
    click.option(
        "--filter",
        "filters",
        multiple=True,
        metavar="KEY=VALUE",
        help="Only cases whose agent, language, topic, tag, layer or id is VALUE; repeatable.",
    ),
)


def selection_options(command: F) -> F:
    """Add `--layer`, `--agent`, `--language`, `--case` and `--filter` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def selection_from(asked: dict[str, Any], layers: tuple[Layer, ...]) -> tuple[Selection, bool]:
    """Take the selection out of a command's parameters; and whether layers were named in it.

    `layers` are those meant where none is named.
    """
    from jw_eval_store.domain.selections import Selection
    from jw_eval_store.runs.filters import parse_pairs, select_by

    given = {name: asked.pop(name) for name in SELECTING}
    pairs = [(key, value) for key in SELECTING[:-1] for value in given[key]]
    pairs += parse_pairs(given["filters"])
    named = any(key.lower() == "layer" for key, _ in pairs)
    return select_by(pairs, Selection(layers=layers)), named

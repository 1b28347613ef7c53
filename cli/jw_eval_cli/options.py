"""Options that several commands share, and the configuration that they lead to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from jw_eval_store.config import Config
    from jw_eval_store.config.database import Located

F = TypeVar("F", bound=Callable[..., Any])


class FiniteRange(click.FloatRange):
    """A range of numbers. For click `nan` lies in every one, and `inf` in those without an end."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Fails for what bounds nothing."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{number} is no finite number.", param, ctx)
        return number


_SYNONYMS = {"md": "markdown", "markdown": "md", "table": "text", "text": "table"}


def synonym(word: str, formats: Sequence[str]) -> str:
    """The name that one of these formats has here; a word that stands for none stays as it is."""
    lowered = word.strip().lower()
    other = _SYNONYMS.get(lowered, lowered)
    return other if other in formats and lowered not in formats else lowered


class FormatChoice(click.Choice[str]):
    """A format by its name, or by the one that it has with other commands."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The format's name. Fails for none."""
        known = synonym(str(value), tuple(self.choices))
        return super().convert(known if known in self.choices else value, param, ctx)


db_option = click.option(
    "--db",
    type=click.Path(dir_okay=False),
    help="The database file (default: .jw-eval/results.db beside the configuration).",
)


def format_option(*formats: str) -> Callable[[F], F]:
    """`--format`, the first one being the default; `md` is `markdown`, too, and `text` `table`."""
    return click.option(
        "--format",
        "form",
        type=FormatChoice(formats, case_sensitive=False),
        default=formats[0],
        show_default=True,
        help="How to print it.",
    )


out_option = click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it to a file."
)


def located(db: str | None = None) -> Located:
    """The database alone, for commands that only read it: found without the configuration."""
    from jw_eval_cli.output import say
    from jw_eval_store.config.database import locate

    found = locate(db)
    for notice in found.notices:
        say(notice)
    return found


def configured(db: str | None = None) -> Config:
    """The configuration that holds, the flag first; what looks misspelt is said on stderr."""
    from jw_eval_cli.output import say
    from jw_eval_store.config import load_config

    config = load_config(overrides={"db": db})
    for notice in config.notices:
        say(notice)
    return config

"""Where data and messages go: data to stdout or a file, messages to stderr."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jw_eval_store.domain.reports import InvalidFile
    from jw_eval_store.reports.interface import Page


def page_of(stream: IO[Any]) -> Page:
    """The terminal's width and whether it takes colours; a fixed width for all else."""
    from jw_eval_store.reports.interface import PLAIN_WIDTH, Page

    terminal = stream.isatty()
    columns = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if terminal else PLAIN_WIDTH
    return Page(columns, _wants_color(terminal))


def _wants_color(terminal: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    dumb = os.environ.get("TERM") == "dumb"
    return bool(os.environ.get("FORCE_COLOR")) or (terminal and not dumb)


def stdout_page() -> Page:
    """The page that data is printed on."""
    return page_of(sys.stdout)


def list_page() -> Page | None:
    """The page that lists are printed on; none (nothing is folded) where it is no terminal."""
    return stdout_page() if sys.stdout.isatty() else None


def emit(text: str) -> None:
    """Print data."""
    click.echo(
        text, nl=bool(text) and not text.endswith("\n"), color=_wants_color(sys.stdout.isatty())
    )


def say(message: str) -> None:
    """Print a message for people."""
    click.echo(f"jw-eval: {message}", err=True)


def refuse(files: Sequence[InvalidFile]) -> None:
    """Name refused files and exit with 2; nothing where there is none."""
    if not files:
        return
    from jw_eval_store.reports.faults import faults_text

    click.echo(faults_text(files, ""), err=True, nl=False)
    raise click.exceptions.Exit(2)


def emit_report(text: str, path: Path | None) -> bool:
    """Print a report or write it to a file. A failure is said, and changes no exit code.

    An older report makes way then: whoever reads the file next would take it for this one.
    """
    from jw_eval_store.reports.write import set_aside, write_report

    try:
        if path is None:
            emit(text)
            sys.stdout.flush()
        else:
            write_report(path, text)
    except BrokenPipeError:
        return False
    except OSError as error:
        say(f"the report could not be written to {path or 'stdout'}: {error.strerror or error}")
        if path is not None and path.is_file():
            aside = set_aside(path)
            say(f"the older report is {aside} now" if aside else f"{path} is an older report")
        return False
    return True

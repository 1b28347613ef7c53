"""Show how a run goes on: a bar where stderr is a terminal, a line where it is not."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jw_eval_cli.output import page_of, say

if TYPE_CHECKING:
    from jw_eval_store.runs.suite import Hooks

_INTERRUPTED = b"\njw-eval: finishing the cases in hand; Ctrl-C again ends at once\n"


@contextmanager
def shown_progress(doing: str = "judging") -> Iterator[Hooks]:
    """The hooks of a run, shown while the context lasts; the terminal decides, not colours."""
    from jw_eval_store.runs.suite import Hooks

    if not sys.stderr.isatty():
        yield Hooks(planned=_say_plan, interrupted=_say_interrupted)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    page = page_of(sys.stderr)
    console = Console(stderr=True, no_color=not page.color, force_terminal=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(doing, *columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        yield Hooks(
            progress=lambda done, total: progress.update(task, completed=done, total=total),
            planned=_say_plan,
            interrupted=_say_interrupted,
        )


def _say_plan(stale: int, reused: int) -> None:
    say(f"{stale:,} to judge, {reused:,} reused")


def _say_interrupted() -> None:
    """Called by a signal handler, which may not use buffered streams."""
    os.write(2, _INTERRUPTED)

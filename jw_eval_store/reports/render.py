"""Turn rich's renderables into text of a fixed width, with or without colours."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from jw_eval_store.reports.interface import Page

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

LEAST_WIDTH = 40


def rendered(renderables: Sequence[RenderableType], page: Page) -> str:
    """The renderables below each other, without blanks at the ends of lines."""
    from rich.console import Console

    console = Console(
        file=StringIO(),
        width=max(page.width, LEAST_WIDTH),
        force_terminal=page.color,
        color_system="standard" if page.color else None,
        no_color=not page.color,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
    )
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable, soft_wrap=False)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    return "\n".join(lines) + "\n" if lines else ""


def plain_table(columns: Sequence[str], title: str | None = None) -> Table:
    """A table without boxes, which survives pipes, narrow terminals and copying.

    A column that starts with `>` is right-aligned, one with `!` is never folded.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left")
    for column in columns:
        name = column.lstrip(">!")
        table.add_column(
            Text(name),
            justify="right" if ">" in column[:2] else "left",
            no_wrap="!" in column[:2],
            overflow="fold",
        )
    return table

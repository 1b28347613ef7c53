"""Turn rich's renderables into text of a fixed width, with or without colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.layout import Column, Layout, column, laid_out

if TYPE_CHECKING:
    from rich.console import (
        Console,
        ConsoleOptions,
        JustifyMethod,
        RenderableType,
        RenderResult,
    )
    from rich.table import Table
    from rich.text import Text

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


def plain_table(columns: Sequence[str], optional: Sequence[str] = ()) -> PlainTable:
    """A table without boxes, which survives pipes, narrow terminals and copying.

    A column that starts with `>` is right-aligned; numbers, ids and what starts with `!` is never
    folded. Where the page is too narrow, the columns in `optional` are left out, the first first.
    """
    return PlainTable([column(written) for written in columns], optional)


class PlainTable:
    """Rows that take their columns' widths from the page; too narrow for these, a block each."""

    def __init__(self, columns: Sequence[Column], optional: Sequence[str]) -> None:
        self._columns, self._optional = columns, optional
        self._rows: list[list[Text]] = []

    def add_row(self, *cells: str | Text) -> None:
        """A row, a cell a column."""
        from rich.text import Text

        self._rows.append([Text(cell) if isinstance(cell, str) else cell for cell in cells])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """What rich prints of it on a page of that width."""
        plain = [[cell.plain for cell in row] for row in self._rows]
        layout = laid_out(self._columns, plain, options.max_width, self._optional)
        if layout is None:
            yield from _blocks(self._columns, self._rows)
        else:
            yield _table(self._columns, self._rows, layout)


def _table(columns: Sequence[Column], rows: Sequence[Sequence[Text]], layout: Layout) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, layout.gap, 0, 0), header_style="bold")
    for number, width in zip(layout.shown, layout.widths, strict=True):
        known = columns[number]
        justify: JustifyMethod = "right" if known.right else "left"
        table.add_column(Text(known.name), justify=justify, overflow="fold", width=width)
    for row in rows:
        table.add_row(*(row[number] for number in layout.shown))
    return table


def _blocks(columns: Sequence[Column], rows: Sequence[Sequence[Text]]) -> Iterator[RenderableType]:
    """`name: value`, a line a column, with a line between the rows."""
    from rich.table import Table
    from rich.text import Text

    for number, row in enumerate(rows):
        if number:
            yield Text()
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for known, cell in zip(columns, row, strict=True):
            table.add_row(Text(f"{known.name}:", "bold"), cell)
        yield table

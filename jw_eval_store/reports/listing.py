"""Lists for people and programs: one value, printed as a table, as JSON, as CSV or as lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import count
from math import isfinite
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.render import plain_table, rendered
from jw_eval_store.reports.wording import clean, one_line, shortened

LIST_FORMATS = ("table", "json", "csv", "markdown")

Cell = str | bytes | int | float | bool | None


@dataclass(frozen=True)
class Listing:
    """Rows of cells under column names (see `render.plain_table` for `>`, `!` and `optional`).

    `short` are columns of hashes, with the digits that a table shows of them.
    """

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    optional: tuple[str, ...] = ()
    short: Mapping[str, int] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The columns without their signs."""
        return [column.lstrip(">!") for column in self.columns]


def listing(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    optional: Sequence[str] = (),
    short: Mapping[str, int] | None = None,
) -> Listing:
    """A listing of any rows."""
    return Listing(tuple(columns), [tuple(row) for row in rows], tuple(optional), short or {})


def listed(value: Listing, form: str, page: Page | None = None) -> str:
    """The listing as `table`, `json` (a list of objects), `csv` or `markdown`. Raises UsageError.

    A table that goes to no page is not folded: a row is a line, so that grep and cut work, and no
    column is left out.
    """
    if form == "json":
        return _as_json(value)
    if form == "csv":
        return _as_csv(value)
    if form == "markdown":
        return _as_markdown(value)
    if form == "table":
        return _as_lines(value) if page is None else rendered([_as_table(value)], page)
    raise UsageError(f"unknown format {form!r}", hint=f"formats: {', '.join(LIST_FORMATS)}")


def json_text(value: Any) -> str:
    """Any value of the domain as indented JSON; bytes as hexadecimal digits."""
    plain = _plain(value)
    text = json.dumps(plain, ensure_ascii=False, indent=2)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def _plain(value: Any) -> Any:
    """What JSON knows: bytes as hexadecimal digits, no NaN, all else as text."""
    if value is None or isinstance(value, str | int | float):
        return value if not isinstance(value, float) or isfinite(value) else None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)


def _as_json(value: Listing) -> str:
    keys = _distinct(value.names)
    return json_text([dict(zip(keys, row, strict=True)) for row in value.rows])


def _distinct(names: Sequence[str]) -> list[str]:
    """Keys of an object: a name that came before gets a number, such as `id_2`."""
    found: list[str] = []
    for name in names:
        more = (f"{name}_{number}" for number in count(2))
        taken = {*found, *(other for other in names if other != name)}
        found.append(name if name not in found else next(n for n in more if n not in taken))
    return found


def _as_csv(value: Listing) -> str:
    rows = [value.names, *value.rows]
    return "".join(
        _csv_line([cell.hex() if isinstance(cell, bytes) else cell for cell in row]) for row in rows
    )


def _csv_line(cells: Sequence[Cell]) -> str:
    """Written with CR LF, since the csv module quotes just the line ends it is told of."""
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\r\n").writerow(cells)
    return stream.getvalue().removesuffix("\r\n") + "\n"


def _as_markdown(value: Listing) -> str:
    from jw_eval_store.reports.escape import markdown

    head = [markdown(name) for name in value.names]
    signs = ["---:" if ">" in column[:2] else "---" for column in value.columns]
    rows = [[markdown(one_line(_shown(cell))) for cell in row] for row in value.rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, signs, *rows))


def _as_lines(value: Listing) -> str:
    """Columns of equal width without rich, which takes longer to import than most answers."""
    shown = [value.names, *_texts(value)]
    cells = [[" ".join(cell.splitlines()) for cell in row] for row in shown]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = [">" in column[:2] for column in value.columns]
    lines = (
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        )
        for row in cells
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _as_table(value: Listing) -> Any:
    table = plain_table(value.columns, value.optional)
    for row in _texts(value):
        table.add_row(*row)
    return table


def _texts(value: Listing) -> Iterator[list[str]]:
    """The cells as a table shows them."""
    digits = [value.short.get(name) for name in value.names]
    for row in value.rows:
        yield [
            shortened(_shown(cell), n) if n else _shown(cell)
            for cell, n in zip(row, digits, strict=True)
        ]


def _shown(cell: Cell) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, bytes):
        return f"{cell[:8].hex()}{'…' if len(cell) > 8 else ''}"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return clean(str(cell))

"""Lists for people and programs: one value, printed as a table, as JSON, as CSV or as lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.reports.interface import UNFOLDED, Page
from jw_eval_store.reports.render import plain_table, rendered
from jw_eval_store.reports.wording import clean

LIST_FORMATS = ("table", "json", "csv")

Cell = str | bytes | int | float | bool | None


@dataclass(frozen=True)
class Listing:
    """Rows of cells under column names (see `render.plain_table` for `>` and `!`)."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]

    @property
    def names(self) -> list[str]:
        """The columns without their signs."""
        return [column.lstrip(">!") for column in self.columns]


def listing(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Listing:
    """A listing of any rows."""
    return Listing(tuple(columns), [tuple(row) for row in rows])


def listed(value: Listing, form: str, page: Page | None = None) -> str:
    """The listing as `table`, `json` (a list of objects) or `csv`. Raises UsageError."""
    if form == "json":
        return _as_json(value)
    if form == "csv":
        return _as_csv(value)
    if form == "table":
        return rendered([_as_table(value)], page or UNFOLDED)
    raise UsageError(f"unknown format {form!r}", hint=f"formats: {', '.join(LIST_FORMATS)}")


def json_text(value: Any) -> str:
    """Any value of the domain as indented JSON; bytes as hexadecimal digits."""
    from pydantic_core import to_jsonable_python

    plain = to_jsonable_python(value, bytes_mode="hex", fallback=str, inf_nan_mode="null")
    text = json.dumps(plain, ensure_ascii=False, indent=2)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def _as_json(value: Listing) -> str:
    return json_text([dict(zip(value.names, row, strict=True)) for row in value.rows])


def _as_csv(value: Listing) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(value.names)
    writer.writerows(
        [cell.hex() if isinstance(cell, bytes) else cell for cell in row] for row in value.rows
    )
    return stream.getvalue()


def _as_table(value: Listing) -> Any:
    from rich.text import Text

    table = plain_table(value.columns)
    for row in value.rows:
        table.add_row(*(Text(_shown(cell)) for cell in row))
    return table


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

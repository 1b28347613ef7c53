from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import listed, listing
from jw_eval_store.reports.sparkline import sparkline

CELLS = st.one_of(st.none(), st.integers(), st.text(), st.booleans())


def test_a_table_is_aligned_and_says_what_is_unknown() -> None:
    text = listed(listing(["name", ">n"], [("año", 3), ("b", None), ("c", 0.123456)]), "table")
    assert text == "name       n\naño        3\nb          -\nc     0.1235\n"


def test_a_list_is_folded_only_for_a_terminal() -> None:
    value = listing(["url"], [("x" * 150,)])
    assert "x" * 150 in listed(value, "table")
    assert max(map(len, listed(value, "table", Page(60)).splitlines())) == 60


def test_bytes_are_hexadecimal_in_every_format() -> None:
    value = listing(["hash"], [(b"\x00\xff" * 8,)])
    assert json.loads(listed(value, "json")) == [{"hash": "00ff" * 8}]
    assert listed(value, "csv") == f"hash\n{'00ff' * 8}\n"
    assert "00ff00ff00ff00ff…" in listed(value, "table")


@given(st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_json_and_csv_hold_what_the_rows_held(rows: list[tuple[object, object]]) -> None:
    value = listing(["!a", ">b"], rows)  # type: ignore[arg-type]  # hypothesis can't say Cell
    assert json.loads(listed(value, "json")) == [{"a": a, "b": b} for a, b in rows]
    read = list(csv.reader(io.StringIO(listed(value, "csv"), newline="")))
    assert read == [["a", "b"], *[["" if c is None else str(c) for c in row] for row in rows]]


@given(st.text())
def test_no_cell_reaches_the_terminal_as_a_command(text: str) -> None:
    shown = listed(listing(["a"], [("\x1b[2J" + text + "\x07",)]), "table")
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UsageError):
        listed(listing(["a"], []), "yaml")


def test_a_sparkline_shows_falls_and_gaps() -> None:
    assert sparkline([0.0, 0.5, 1.0, None]) == "▁▄█·"
    assert sparkline([1.0, 0.95, 1.0]) == "█▇█"
    assert len(sparkline([1.0] * 50, width=20)) == 20
    assert sparkline([]) == ""

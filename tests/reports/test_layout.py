"""Columns on a narrow page: ids, numbers and verdicts whole, prose folded, or a block a row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.layout import column, laid_out
from jw_eval_store.reports.listing import listed, listing

ID, PROSE = "l1_apologetics_trinity_es", "what the agent said of it, in many words and at length"
WORDS = st.text("abc é", max_size=60)


def test_only_prose_is_folded() -> None:
    text = listed(listing(["case", ">rate", "why"], [(ID, "100.0%", PROSE)]), "table", Page(50))
    assert ID in text
    assert "100.0%" in text
    assert len(text.splitlines()) > 2
    assert " ".join(text.split()[6:]) in PROSE
    assert max(map(len, text.splitlines())) <= 50


def test_optional_columns_go_in_their_order_and_only_where_there_is_no_room() -> None:
    value = listing(
        ["case", "agent", "hash"], [(ID, "apologetics", "0" * 20)], optional=("hash", "agent")
    )
    heads = [listed(value, "table", Page(w)).split("\n")[0].split() for w in (80, 45, 40)]
    assert heads == [["case", "agent", "hash"], ["case", "agent"], ["case", "agent"]]
    columns = [column(name) for name in value.columns]
    narrow = laid_out(columns, [(ID, "apologetics", "0")], 30, ("agent",))
    assert narrow is not None
    assert narrow.shown == (0, 2)
    assert listed(value, "table").split("\n")[0].split() == ["case", "agent", "hash"]


def test_a_column_that_has_no_room_does_not_take_a_smaller_one_with_it() -> None:
    columns = [column(name) for name in ("case", "topic", "layer")]
    found = laid_out(columns, [("a" * 30, "b" * 30, "l1")], 40, ("layer", "topic"))
    assert found is not None
    assert found.shown == (0, 2)


def test_rows_too_wide_for_columns_are_blocks() -> None:
    names = [f"column_{n}" for n in range(9)]
    text = listed(listing(names, [range(9), ["x" * 100, *range(8)]]), "table", Page(60))
    assert text.startswith("column_0: 0\ncolumn_1: 1\n")
    assert "\n\ncolumn_0: xxx" in text
    assert max(map(len, text.splitlines())) <= 60


def test_a_table_shows_the_first_digits_of_hashes_and_files_hold_all() -> None:
    digest = "ab12" * 16
    rows = [(f"sha256:{digest}", f"wol/{digest}.html", "01234567+")]
    value = listing(["a", "b", "c"], rows, short={"a": 12, "b": 12, "c": 7})
    assert listed(value, "table").splitlines()[1].split() == [
        "sha256:ab12ab12ab12",
        "wol/ab12ab12ab12.html",
        "0123456+",
    ]
    assert digest in listed(value, "csv")
    assert digest in listed(value, "json")


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=4), st.integers(40, 120))
def test_no_line_is_wider_than_the_page(rows: list[tuple[str, str, str]], width: int) -> None:
    text = listed(listing(["!one", ">two", "three"], rows, optional=("two",)), "table", Page(width))
    assert max(map(len, text.splitlines()), default=0) <= width


@pytest.mark.parametrize("room", [10, 23, 24, 60])
def test_what_is_laid_out_fits(room: int) -> None:
    columns = [column(name) for name in ("!a", "b c", ">d")]
    found = laid_out(columns, [("x" * 5, PROSE, "12")], room)
    assert (found is None) == (room < 23)
    if found:
        assert sum(found.widths) + found.gap * 2 <= room

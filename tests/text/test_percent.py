"""Shares are never shown nearer to a bar than they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.text.percent import bar, share_passed


@pytest.mark.parametrize(
    ("share", "shown"),
    [(1, "100.0%"), (2999 / 3000, "99.9%"), (0, "0.0%"), (27 / 28, "96.4%"), (0.07, "7.0%")],
)
def test_a_rate_is_rounded_down(share: float, shown: str) -> None:
    assert share_passed(share) == shown


@pytest.mark.parametrize(
    ("wanted", "shown"), [(1.0, "100%"), (0.995, "99.5%"), (0.98, "98%"), (0.1, "10%"), (0, "0%")]
)
def test_a_bar_has_all_its_digits(wanted: float, shown: str) -> None:
    assert bar(wanted) == shown


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_only_all_of_them_are_shown_as_all(passed: int, total: int) -> None:
    passed = min(passed, total)
    assert (share_passed(passed / total) == "100.0%") == (passed == total)
    assert float(share_passed(passed / total)[:-1]) <= 100 * passed / total + 1e-9

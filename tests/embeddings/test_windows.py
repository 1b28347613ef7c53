"""A text over the window is embedded in parts, and every word of it counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.embedders.windows import TooLongError, halves, in_windows

WORDS = st.lists(st.text("abcñé", min_size=1, max_size=8), min_size=2, max_size=60)


class Window:
    """Reads up to `size` words, and remembers what it read."""

    def __init__(self, size: int) -> None:
        self.size, self.read = size, list[str]()

    def __call__(self, text: str) -> list[float]:
        if len(text.split()) > self.size:
            raise TooLongError(text)
        self.read += text.split()
        return [1.0, float(len(text))]


@given(WORDS, st.integers(1, 5))
def test_every_word_is_read_once_and_in_order(words: list[str], size: int) -> None:
    window = Window(size)
    in_windows(" ".join(words), window)
    assert window.read == words


@given(WORDS)
def test_halves_are_the_whole(words: list[str]) -> None:
    left, right = halves(" ".join(words))
    assert [*left.split(), *right.split()] == words
    assert left
    assert right


def test_a_short_text_is_read_as_it_is() -> None:
    assert in_windows("uno  dos", Window(2)).tolist() == [1.0, 8.0]


def test_the_last_word_moves_the_vector() -> None:
    one, other = (in_windows(f"{'a ' * 40}{last}", Window(3)) for last in ("a", "aaaaaaa"))
    assert not np.array_equal(one, other)


def test_one_endless_word_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        in_windows("a" * 100, Window(0))

"""Texts longer than a model's window are embedded in parts and averaged, never cut silently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from jw_eval_store.domain.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]


class TooLongError(Exception):
    """A model can't read a text in one piece."""


def in_windows(text: str, embed_one: Callable[[str], Sequence[float] | Vector]) -> Vector:
    """The vector of a text of any length, not normalised.

    `embed_one` raises TooLongError for what it can't read whole; the halves' vectors are then
    averaged, each of unit length, weighted by their characters. Raises UsageError for a single
    word that is too long.
    """
    import numpy as np

    try:
        return np.asarray(embed_one(text), dtype=np.float32)
    except TooLongError:
        left, right = halves(text)
    parts = [(len(half), in_windows(half, embed_one)) for half in (left, right)]
    weighted = [weight * vector / np.linalg.norm(vector) for weight, vector in parts]
    return np.asarray(np.sum(weighted, axis=0), dtype=np.float32)


def halves(text: str) -> tuple[str, str]:
    """A text cut in two at the blank nearest its middle. Raises UsageError where there is none."""
    words = text.split()
    if len(words) < 2:
        raise UsageError(
            f"a word of {len(text)} characters is too long for the embedder",
            hint="look at the answer: it is no text",
        )
    ends = list(accumulate(len(word) + 1 for word in words[:-1]))
    cut = 1 + min(range(len(ends)), key=lambda index: abs(ends[index] - len(text) / 2))
    return " ".join(words[:cut]), " ".join(words[cut:])

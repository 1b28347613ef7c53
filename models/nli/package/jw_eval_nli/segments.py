"""Which sentence each token belongs to, and whether the other sentence has its word as well.

Four segments in the place of BERT's two: exact matches are marked, so that few labels are enough to
learn that a reply adds something to its source (after the exact match feature of Chen et al. 2017,
"Reading Wikipedia to Answer Open-Domain Questions"). A word is had as well when its first five
letters are, without case and accents; of figures all digits count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

PREMISE, HYPOTHESIS, PREMISE_ONLY, HYPOTHESIS_ONLY = range(4)
"""Odd ones are of the hypothesis."""

Span = tuple[int, int]

_WORD = re.compile(r"\w+")
_LETTERS = 5


def segments_of(
    premise: str, hypothesis: str, first: Sequence[Span], second: Sequence[Span]
) -> list[int]:
    """Segments for `<s> premise </s> </s> hypothesis </s>`.

    first, second: where the tokens of each stand in its text (characters, from and to).
    """
    here, there = _words(premise), _words(hypothesis)
    known, told = set(here.values()), set(there.values())
    return [
        PREMISE,
        *_marked(here, told, first, PREMISE, PREMISE_ONLY),
        PREMISE,
        PREMISE,
        *_marked(there, known, second, HYPOTHESIS, HYPOTHESIS_ONLY),
        HYPOTHESIS,
    ]


def words_of(text: str) -> list[str]:
    """Its words in order, as they are compared: case, accents and endings left out."""
    return [*_words(text).values()]


def _words(text: str) -> dict[Span, str]:
    return {found.span(): _key(found.group()) for found in _WORD.finditer(text)}


def _key(word: str) -> str:
    bare = unicodedata.normalize("NFKD", word.casefold())
    bare = "".join(c for c in bare if not unicodedata.combining(c))
    return bare if any(c.isdigit() for c in bare) else bare[:_LETTERS]


def _marked(
    words: dict[Span, str], other: set[str], tokens: Iterable[Span], both: int, only: int
) -> list[int]:
    """A token is marked by the word that its last character belongs to; marks by none."""
    place = {at: key for (start, end), key in words.items() for at in range(start, end)}
    keys = (place.get(end - 1) for _, end in tokens)
    return [only if key is not None and key not in other else both for key in keys]

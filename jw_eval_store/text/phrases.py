"""Searching words in text: exactly in the normal form to decide, loosely only to explain.

A phrase counts only as whole words: its ends must not fall inside a word, so `no` is not in
`noche` and `mortal` not in `inmortal`. Letters, digits and their accents make words; hyphens and
apostrophes end them, except that `can` is not in `can't`. Scripts written without blanks (Chinese,
Japanese, Thai, Khmer, Lao, Burmese) know no such ends. Marks `¿ ¡` at a phrase's ends don't count.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from jw_eval_store.domain.evidence import Passage
from jw_eval_store.text.normal import normal

_UNSPACED = (
    ("\u0e00", "\u0eff"),
    ("\u1000", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
)


class Nearest(NamedTuple):
    """Where a missing phrase would most likely stand: `score` 0..100, `text` the stretch of it."""

    passage: Passage
    score: float
    text: str


@lru_cache(maxsize=8192)
def search_form(phrase: str) -> str:
    """What is searched for a phrase; empty if it holds nothing that could be found."""
    return normal(phrase).strip("¿¡ ")


def contains(haystack_normal: str, phrase: str) -> bool:
    """Whether a text, already in normal form, holds the phrase as whole words.

    A phrase with nothing to search for is never found.
    """
    needle = search_form(phrase)
    if not needle:
        return False
    start = haystack_normal.find(needle)
    while start >= 0:
        if _at_word_ends(haystack_normal, start, start + len(needle)):
            return True
        start = haystack_normal.find(needle, start + 1)
    return False


def find_keywords(text: str, keywords: Iterable[str]) -> tuple[str, ...]:
    """The keywords that a text (as written, or in normal form) holds, in the order given."""
    haystack = normal(text)
    return tuple(keyword for keyword in keywords if contains(haystack, keyword))


def nearest_passage(passages: Sequence[Passage], phrase: str) -> Nearest | None:
    """The passage most like a phrase, for messages only: similarity approves inverted claims.

    None if there is no text to compare.
    """
    from rapidfuzz import fuzz

    needle = search_form(phrase)
    best: Nearest | None = None
    for passage in passages:
        haystack = normal(passage.text)
        if not needle or not haystack:
            continue
        longer = len(haystack) >= len(needle)
        score = (fuzz.partial_ratio if longer else fuzz.ratio)(needle, haystack)
        if best is None or score > best.score:
            best = Nearest(passage, score, "")
    return best and best._replace(text=_stretch(best.passage.text, needle))


def _at_word_ends(text: str, start: int, end: int) -> bool:
    before = start > 0 and _joins(text[start - 1], text[start])
    after = end < len(text) and (
        _joins(text[end - 1], text[end]) or (text[end : end + 2] == "'t" and text[end - 1] == "n")
    )
    return not before and not after


def _joins(left: str, right: str) -> bool:
    """Whether two neighbours belong to one word."""
    return _in_word(left) and _in_word(right)


@lru_cache(maxsize=4096)
def _in_word(character: str) -> bool:
    if any(first <= character <= last for first, last in _UNSPACED):
        return False
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _stretch(text: str, needle: str) -> str:
    """The words of a passage that align with a phrase, as written, with their sentence's edges."""
    from rapidfuzz import fuzz

    haystack = normal(text)
    alignment = fuzz.partial_ratio_alignment(needle, haystack)
    written = [word for word in text.split() if normal(word)]
    words = written if len(written) == len(haystack.split()) else haystack.split()
    if alignment is None or len(haystack) < len(needle):
        return " ".join(words)
    first = haystack.count(" ", 0, alignment.dest_start + 1)
    last = haystack.count(" ", 0, max(alignment.dest_end - 1, 0))
    return " ".join(_widened(words, first, last))


def _widened(words: list[str], first: int, last: int) -> list[str]:
    """Two words more at each end, but not beyond the sentence: a negator often stands there."""
    start, end = first, last
    while start > 0 and first - start < 2 and words[start - 1][-1] not in ".!?;:":
        start -= 1
    while end + 1 < len(words) and end - last < 2 and words[end][-1] not in ".!?;:":
        end += 1
    return words[start : end + 1]

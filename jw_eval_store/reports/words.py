"""Two texts word by word: what only the one has, what only the other."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from jw_eval_store.text.normal import normal

Side = Literal["both", "old", "new"]


class Words(NamedTuple):
    """A stretch of words that both texts have, or only one of them."""

    side: Side
    text: str


def word_diff(old: str, new: str) -> Iterator[Words]:
    """Old and new as stretches in reading order; what reads the same counts as the same."""
    ours, theirs = old.split(), new.split()
    matcher = SequenceMatcher(
        None, [normal(word) for word in ours], [normal(word) for word in theirs], autojunk=False
    )
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield Words("both", " ".join(theirs[c:d]))
            continue
        if b > a:
            yield Words("old", " ".join(ours[a:b]))
        if d > c:
            yield Words("new", " ".join(theirs[c:d]))


def marked_diff(old: str, new: str) -> str:
    """The difference as plain text: `[-only old-]` and `{+only new+}`."""
    marks = {"both": "{}", "old": "[-{}-]", "new": "{{+{}+}}"}
    return " ".join(marks[side].format(text) for side, text in word_diff(old, new))

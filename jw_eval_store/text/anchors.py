"""Anchors: which verse, paragraph or range of them within a page a citation points at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

_VERSE = r"v?(\d{1,3})[:-](\d{1,3})[:-](\d{1,3})"
_VERSES = re.compile(rf"{_VERSE}(?:-{_VERSE}|-(\d{{1,3}})(?::(\d{{1,3}}))?)?")
_ELEMENT = re.compile(r"v(\d{1,3})-(\d{1,3})-(\d{1,3})(?:-\d+)?")
_PARAGRAPHS = re.compile(r"p(\d{1,5})(?:-p?(\d{1,5}))?")
_HIGHLIGHT = re.compile(r"(\d{1,5})(?::\d+)?(?:-(\d{1,5}):\d+)?(?:-\d+)?")


@dataclass(frozen=True)
class Anchor:
    """A range of verses (`v`, each book:chapter:verse) or paragraphs (`p`), ends included."""

    kind: Literal["v", "p"]
    first: tuple[int, ...]
    last: tuple[int, ...]

    def contains(self, other: Anchor) -> bool:
        """Whether the other range lies within this one."""
        return self.kind == other.kind and self.first <= other.first and other.last <= self.last

    def __str__(self) -> str:
        """As passages are named: `v43:3:16`, `v43:3:16-43:3:18`, `p12`, `p12-p14`."""
        first, last = (":".join(map(str, end)) for end in (self.first, self.last))
        if self.first == self.last:
            return self.kind + first
        return f"{self.kind}{first}-{'p' if self.kind == 'p' else ''}{last}"


def parse_anchor(text: str) -> Anchor | None:
    """An anchor from its text (`v43:3:16`, `43:3:16-43:3:18`, `v43-3-16-1`, `p12`), else none.

    A range that runs backwards is none.
    """
    if match := _ELEMENT.fullmatch(text):
        verse = tuple(int(part) for part in match.groups())
        return Anchor("v", verse, verse)
    if match := _VERSES.fullmatch(text):
        return _verses([int(part) if part else None for part in match.groups()])
    if match := _PARAGRAPHS.fullmatch(text):
        return _paragraphs(match[1], match[2])
    return None


def fragment_anchor(fragment: str) -> Anchor | None:
    """The anchor that a URL's fragment names, in any of the site's forms; none if it names none.

    Forms: `study=discover&v=43:3:16`, `v=43:3:16-43:3:18`, `h=17:0-18:507` (paragraphs 17 to 18
    with character offsets), `p170`, and element names such as `v43-3-16-1`.
    """
    if not fragment:
        return None
    parts = unquote(fragment).split("&")
    named = dict(part.split("=", 1) for part in parts if "=" in part)
    if "v" in named:
        return parse_anchor(named["v"])
    if "h" in named and (match := _HIGHLIGHT.fullmatch(named["h"])):
        return _paragraphs(match[1], match[2])
    return parse_anchor(parts[0])


def _verses(numbers: list[int | None]) -> Anchor | None:
    """From the nine groups of `_VERSES`: first verse, last verse, or its short forms."""
    book, chapter, verse = (number or 0 for number in numbers[:3])
    first = (book, chapter, verse)
    last = first
    if numbers[5] is not None:
        last = (numbers[3] or 0, numbers[4] or 0, numbers[5])
    elif numbers[7] is not None:
        last = (book, numbers[6] or 0, numbers[7])
    elif numbers[6] is not None:
        last = (book, chapter, numbers[6])
    return Anchor("v", first, last) if first <= last else None


def _paragraphs(first: str, last: str | None) -> Anchor | None:
    begin, end = int(first), int(last or first)
    return Anchor("p", (begin,), (end,)) if begin <= end else None

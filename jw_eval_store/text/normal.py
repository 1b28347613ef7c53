"""The normal form of text: one spelling for what people read as the same words.

Pages carry syllable marks, soft hyphens, curly quotes and no-break spaces that no curator types.
Accents and the tilde of ñ are kept, since they tell words apart (`amo`, `amó`; `ano`, `año`).
"""

from __future__ import annotations

import re
import unicodedata

NORMALISER_VERSION = "1"
"""Grows whenever a text may get another normal form; verdicts and fingerprints carry it."""

_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
) + "".join(map(chr, range(0xFE00, 0xFE10)))
_MARKERS = "\u00b7\u0387\u2027\u02b9\u0374"
"""Syllable and stress marks of names: middle dot, hyphenation point, modifier prime."""

_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u02bb\u00b4\u0060\u2039\u203a\uff07"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f\uff02"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"

_UNSEEN: dict[int, None] = dict.fromkeys(map(ord, _INVISIBLE))
_REMOVED: dict[int, None] = _UNSEEN | dict.fromkeys(map(ord, _MARKERS))
_FOLDED: dict[int, str | None] = {
    **_REMOVED,
    **dict.fromkeys(map(ord, _SINGLE_QUOTES), "'"),
    **dict.fromkeys(map(ord, _DOUBLE_QUOTES), '"'),
    **dict.fromkeys(map(ord, _DASHES), "-"),
}

_TO_FOLD = re.compile("[" + re.escape("".join(map(chr, _FOLDED))) + "]")
"""Looked for before translating, which is slow and mostly has nothing to do."""


def normal(text: str) -> str:
    """The normal form, in which phrases are searched and texts compared. Idempotent.

    NFKC, invisible characters and syllable marks removed, quotes and dashes unified, case folded,
    white space (U+00A0 and U+202F too) collapsed to single blanks, none at the ends.
    """
    folded = text.replace("`", "'").casefold() if text.isascii() else _stable(text)
    return " ".join(folded.split())


def unmarked(text: str) -> str:
    """The text for people to read: composed, without invisible characters and syllable marks.

    Case, quotes and dashes stay; white space is collapsed.
    """
    return " ".join(unicodedata.normalize("NFC", text.translate(_REMOVED)).split())


def visible(text: str) -> str:
    """The text without invisible characters, composed; lines, blanks and marks stay."""
    return unicodedata.normalize("NFC", text.translate(_UNSEEN))


def _stable(text: str) -> str:
    """Fold until nothing changes: NFKC can bring back what was folded (`ŀ` holds a middle dot)."""
    folded = _fold(text)
    while (again := _fold(folded)) != folded:
        folded = again
    return folded


def _fold(text: str) -> str:
    """One pass; invisible characters go first, so that a letter meets its accent."""
    if _TO_FOLD.search(text):
        text = text.translate(_FOLDED)
    return unicodedata.normalize("NFKC", text).casefold()

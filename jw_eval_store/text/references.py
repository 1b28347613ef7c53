"""Bible references in running text, in English, Spanish and Portuguese, as numbers.

"Hch 15:29", "Hechos 15:29" and "Acts 15:29" are one reference. Read: full names and short forms,
numbered books (`1 Cor`, `1Co`, `I Corintios`, `Primera de Juan`), `3:16`, `3.16`, `3,16`,
"chapter 3 verse 16", ranges, lists, and books of one chapter (`3 Juan 15`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from jw_eval_store.text.books import (
    LANGUAGES,
    SINGLE_CHAPTER_VERSES,
    BookFamily,
    chapter_counts,
    families,
)
from jw_eval_store.text.normal import unmarked

_SPOKEN = {"ase": "en", "bfi": "en", "mfs": "es", "ssp": "es", "aed": "es", "bzs": "pt"}
_LAST_VERSE = 176

_HEAD = re.compile(
    r"(?<![^\W\d_])([^\W\d_]+)\.?,?(?:\s+(?:chapter|cap[ií]tulo|cap|ch)\.?)?\s*(?=\d)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"(?<!\w)(?:(?P<n>[1-3])(?:\.?[ªºao]|st|nd|rd|r[ao]|d[ao])?|(?P<roman>I{1,3})"
    r"|(?P<word>first|second|third|primer[ao]?|segund[ao]|tercer[ao]?|primeir[ao]|terceir[ao]))"
    r"\.?\s*(?:(?:carta|ep[ií]stola|letter)?\s*(?:de|a|aos?|to|of)(?:\s+(?:los|the|s[aã]o))?\s+)?$",
    re.IGNORECASE,
)
_ORDINAL_WORDS = {"f": 1, "p": 1, "s": 2, "t": 3}
_VERSE_WORD = r"\s*,?\s+(?:verses?|vers[ií]culos?|vers|vv?|vss?)\.?\s*"
_RANGE = r"(?:\s*[-–—‑]\s*(\d{{1,3}})(?:(?:{colon})(\d{{1,3}}))?)?(?:[ab]\b)?(?!\d)"
_COLON = r"\s*:\s*|\.(?=\d)"
_FIRST = re.compile(
    rf"(\d{{1,3}})(?:({_COLON}|,(?=\d)|{_VERSE_WORD})(\d{{1,3}}))?{_RANGE.format(colon=_COLON)}",
    re.IGNORECASE,
)
_MORE, _MORE_COMMA = (
    re.compile(
        rf"\s*(;|,|\b(?:y|e|and)\b|&)\s*(\d{{1,3}})(?:(?:{colon})(\d{{1,3}}))?"
        + _RANGE.format(colon=colon)
    )
    for colon in (_COLON, _COLON + r"|,(?=\d)")
)
_NEXT_BOOK = re.compile(r"\s*([^\W\d_]+)")


@dataclass(frozen=True)
class Reference:
    """A verse, a range of verses, or whole chapters (no verses). `book` is 1..66.

    `chapter_to` is set only where a range ends in another chapter.
    """

    book: int
    chapter: int
    verse_from: int | None = None
    verse_to: int | None = None
    chapter_to: int | None = None

    @property
    def key(self) -> str:
        """One text per reference: `43:3`, `43:3:16`, `43:3:16-18`, `1:1:1-2:3`, `1:1-3`."""
        start = f"{self.book}:{self.chapter}"
        if self.verse_from is None:
            return start if self.chapter_to is None else f"{start}-{self.chapter_to}"
        if self.chapter_to is not None:
            return f"{start}:{self.verse_from}-{self.chapter_to}:{self.verse_to}"
        end = "" if self.verse_to == self.verse_from else f"-{self.verse_to}"
        return f"{start}:{self.verse_from}{end}"


def parse_references(text: str, language: str) -> tuple[Reference, ...]:
    """The references of a text, in the order written; a list gives one for each member.

    `language` is a BCP 47 tag; sign languages are read as the spoken language around them, an
    unknown language as all three. A lone chapter counts after a capitalised name of three letters
    or more; names in small letters and shorter forms need a verse, or `is 5` would be Isaiah.
    """
    if not any(character.isdigit() for character in text):
        return ()
    readable = unmarked(text)
    names = _names(_SPOKEN.get(language, language))
    found: list[Reference] = []
    end = 0
    for head in _HEAD.finditer(readable):
        if head.start() >= end and (book := _book(readable, head, names)):
            references, end = _numbers(readable, head.end(), book, names)
            loose = head[1][0].islower() or (len(head[1]) < 3 and book.volume == 0)
            if not loose or (references and references[0].verse_from is not None):
                found += references
    return tuple(found)


@dataclass(frozen=True)
class _Book:
    number: int
    volume: int


_Names = dict[str, list[tuple[tuple[str, ...], BookFamily]]]


def _book(text: str, head: re.Match[str], names: _Names) -> _Book | None:
    """The book that ends just before a number: the numbered one where an ordinal precedes."""
    if head[1][0].islower() and len(head[1]) < 4:
        return None
    candidates = names.get(head[1].casefold())
    if not candidates:
        return None
    before = text[max(0, head.start() - 40) : head.start()]
    ordinal = _ORDINAL.search(before)
    volume = _volume(ordinal) if ordinal else 0
    words = tuple(before.casefold().split())
    for earlier, family in candidates:
        if 0 < volume <= family.volumes:
            return _Book(family.first + volume - 1, volume)
        if not family.volumes and words[len(words) - len(earlier) :] == earlier:
            return _Book(family.first, 0)
    return None


def _volume(ordinal: re.Match[str]) -> int:
    if ordinal["n"]:
        return int(ordinal["n"])
    return len(ordinal["roman"] or "") or _ORDINAL_WORDS[ordinal["word"][0].lower()]


def _numbers(text: str, at: int, book: _Book, names: _Names) -> tuple[list[Reference], int]:
    """The chapters and verses after a book's name, and where they end."""
    match = _FIRST.match(text, at)
    if not match:
        return [], at
    chapter, joined, verse, to, to_verse = match.groups()
    first = _reference(book.number, chapter, verse, to, to_verse)
    if first is None:
        return [], match.end()
    found, end = [first], match.end()
    pattern = _MORE_COMMA if joined == "," else _MORE
    while more := pattern.match(text, end):
        following = _continued(found[-1], more, text, names)
        if following is None:
            break
        found.append(following)
        end = more.end()
    return found, end


def _continued(last: Reference, more: re.Match[str], text: str, names: _Names) -> Reference | None:
    """The next member of a list; none where the number belongs to something else."""
    separator, number, verse, to, to_verse = more.groups()
    if verse is None and number in "123" and _begins_book(text, more.end(2), names):
        return None
    if verse is not None or last.verse_from is None or separator == ";":
        return _reference(last.book, number, verse, to, to_verse)
    if separator != "," and int(number) <= (last.verse_to or 0):
        return None
    chapter = str(last.chapter_to or last.chapter)
    return _reference(last.book, chapter, number, to, to_verse)


def _begins_book(text: str, at: int, names: _Names) -> bool:
    word = _NEXT_BOOK.match(text, at)
    candidates = names.get(word[1].casefold(), []) if word else []
    return any(family.volumes for _, family in candidates)


def _reference(
    book: int, chapter: str, verse: str | None, to: str | None, to_verse: str | None
) -> Reference | None:
    """A reference from its numbers as written; none where the book has no such chapter or verse."""
    last_verse = SINGLE_CHAPTER_VERSES.get(book, _LAST_VERSE)
    if verse is None and book in SINGLE_CHAPTER_VERSES:
        chapter, verse = "1", chapter
    start, chapters = int(chapter), chapter_counts()[book]
    if not 1 <= start <= chapters:
        return None
    if verse is None:
        end = int(to or start)
        return Reference(book, start, chapter_to=end if start < end <= chapters else None)
    if not 1 <= int(verse) <= last_verse:
        return None
    return _verses(book, start, int(verse), int(to or 0), int(to_verse or 0))


def _verses(book: int, chapter: int, verse: int, to: int, to_verse: int) -> Reference:
    if to_verse and chapter < to <= chapter_counts()[book]:
        return Reference(book, chapter, verse, to_verse, to)
    if to_verse and to == chapter:
        to = to_verse
    return Reference(book, chapter, verse, max(verse, to))


@lru_cache(maxsize=8)
def _names(language: str) -> _Names:
    """Families by the last word of their names, with the words before it; also without accents.

    Numbered books come first, then longer names.
    """
    languages = (language,) if language in LANGUAGES else LANGUAGES
    exact: _Names = {}
    plain: _Names = {}
    for family in families():
        for name in (name for lang in languages for name in family.names[lang]):
            *earlier, last = name.casefold().split()
            exact.setdefault(last, []).append((tuple(earlier), family))
            bare = _plain(last)
            plain.setdefault(bare, []).append((tuple(earlier), family))
    merged = plain | exact
    for candidates in merged.values():
        candidates.sort(key=lambda found: (not found[1].volumes, -len(found[0])))
    return merged


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(character for character in decomposed if not unicodedata.combining(character))

"""The corpus in one language: verses, topics, study notes and set phrases, read once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from jw_eval_store.domain.languages import bcp47
from jw_eval_store.text.books import book_name

LANGUAGES = ("en", "es", "pt", "ase")
"""BCP 47 tags the corpus has; American Sign Language holds descriptions of three videos."""


class Verse(NamedTuple):
    """A verse by numbers, books counted from Genesis = 1."""

    book: int
    chapter: int
    number: int

    @classmethod
    def parse(cls, text: str) -> Verse:
        """From the corpus' form, `43:3:16`."""
        book, chapter, number = map(int, text.split(":"))
        return cls(book, chapter, number)

    def __str__(self) -> str:
        return f"{self.book}:{self.chapter}:{self.number}"


@dataclass(frozen=True)
class Point:
    """One sentence of a topic, and the verses it rests on."""

    text: str
    verses: tuple[Verse, ...]


@dataclass(frozen=True)
class Topic:
    """An entry of the topic index. A `name` is enough to find it, single `words` are not."""

    docid: int
    title: str
    names: tuple[str, ...]
    words: tuple[str, ...]
    statement: str
    points: tuple[Point, ...]
    verses: tuple[Verse, ...]


@dataclass(frozen=True)
class Note:
    """A study note on one verse, with the verses that it refers to."""

    text: str
    cross_references: tuple[Verse, ...]


@dataclass(frozen=True)
class Library:
    """All that the sample agents know in one language."""

    language: str
    translation: str
    verses: dict[Verse, str]
    topics: tuple[Topic, ...]
    notes: dict[Verse, Note]
    phrases: dict[str, str]

    def title(self, verse: Verse) -> str:
        """How people write the reference: `Juan 3:16`."""
        return f"{book_name(verse.book, self.language)} {verse.chapter}:{verse.number}"


def library(language: str) -> Library | None:
    """The corpus for a JW code, ISO code or regional tag (`S`, `es`, `es-MX`); none without one."""
    tag = bcp47(language)
    known = tag if tag in LANGUAGES else tag.split("-", maxsplit=1)[0]
    return _read(known) if known in LANGUAGES else None


@lru_cache(maxsize=len(LANGUAGES))
def _read(language: str) -> Library:
    bible = _data(f"verses.{language}")
    return Library(
        language=language,
        translation=bible["translation"],
        verses={Verse.parse(key): text for key, text in bible["verses"].items()},
        topics=tuple(_topic(t, language) for t in _data("topics") if language in t["texts"]),
        notes={
            Verse.parse(key): Note(note["texts"][language], _verses(note["cross_references"]))
            for key, note in _data("notes").items()
            if language in note["texts"]
        },
        phrases=_data("phrases")[language],
    )


def _topic(entry: dict[str, Any], language: str) -> Topic:
    text = entry["texts"][language]
    return Topic(
        docid=entry["docid"],
        title=text["title"],
        names=tuple(text["names"]),
        words=tuple(text["words"]),
        statement=text["statement"],
        points=tuple(Point(p["text"], _verses(p["references"])) for p in text["points"]),
        verses=_verses(entry["references"]),
    )


def _verses(keys: list[str]) -> tuple[Verse, ...]:
    return tuple(map(Verse.parse, keys))


def _data(name: str) -> Any:
    corpus = files("jw_eval_store.sample") / "corpus" / f"{name}.json"
    return json.loads(corpus.read_text(encoding="utf-8"))

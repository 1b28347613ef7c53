"""Words of a sentence with their lemmas, and the small word lists of es, en and pt.

Lemmas come from simplemma (MIT); the lists are ours, one JSON file a language in `data/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import zip_longest
from typing import Any

from jw_eval_store.text.claims import NEGATORS
from jw_eval_store.text.normal import unmarked
from jw_eval_store.text.references import parse_references

LANGUAGES = ("es", "en", "pt")
_WORD_LISTS = ("signs", "articles", "prepositions", "links", "auxiliaries", "deniers", "joiners")

_WORD = re.compile(
    r"\d+(?:st|nd|rd|th)\b|\d[\d.,]*\d|\d|n['’]t\b|['’](?:s|ll)\b"
    r"|[^\W\d_]+?(?=n['’]t\b)|[^\W\d_]+(?:['’](?!s\b|ll\b)[^\W\d_]+)*"
    r"|[^\w\s.,;:!¡¿\"'‘’“”«»()\[\]\-—–…*_#•·`]"
)
"""What counts as a word: letters, figures, `'s`, `n't`, and any sign that is no plain punctuation
or markdown, since `?`, `≠`, `~~struck out~~` and a thumb turned down say something."""


@dataclass(frozen=True)
class Word:
    """A word: as written, in lower case, its lemma, and whether it starts its sentence."""

    written: str
    lower: str
    lemma: str
    first: bool

    @property
    def is_capital(self) -> bool:
        """Whether it starts with a capital letter."""
        return self.written[:1].isupper()


@dataclass(frozen=True)
class Lexicon:
    """One language's word lists, in lower case.

    `lemmas` correct simplemma's. `signs` are function words that tell the language from the
    others; `links` hold clauses together; `deniers` are words that deny without a negator (to
    reject, a myth); `qualifiers` maps a word to its kind; antonyms hold both ways.
    """

    language: str
    signs: frozenset[str]
    articles: frozenset[str]
    prepositions: frozenset[str]
    links: frozenset[str]
    auxiliaries: frozenset[str]
    lemmas: Mapping[str, str]
    contractions: Mapping[str, str]
    negators: frozenset[str]
    deniers: frozenset[str]
    qualifiers: Mapping[str, str]
    future: re.Pattern[str]
    numbers: Mapping[str, int]
    joiners: frozenset[str]
    prefixes: tuple[str, ...]
    antonyms: frozenset[tuple[str, str]]


@lru_cache
def lexicon(language: str) -> Lexicon:
    """The lists of a language; English for one that has none."""
    name = language if language in LANGUAGES else "en"
    raw: dict[str, Any] = json.loads(read_data(f"{name}.json"))
    pairs = [tuple(pair) for pair in raw["antonyms"]]
    return Lexicon(
        language=name,
        **{key: frozenset(raw[key].split()) for key in _WORD_LISTS},
        negators=NEGATORS[name] | set(raw["negators"].split()),
        lemmas=raw["lemmas"] | _kept(raw["feminines"].split()),
        contractions=raw["contractions"],
        qualifiers={
            word: kind for kind, words in raw["qualifiers"].items() for word in words.split()
        },
        future=re.compile(raw["future"]),
        numbers=raw["numbers"],
        prefixes=tuple(raw["prefixes"].split()),
        antonyms=frozenset(pairs + [(b, a) for a, b in pairs]),
    )


def _kept(feminines: list[str]) -> dict[str, str]:
    """Nouns that simplemma would turn into men: a girl is no boy."""
    return {form: noun for noun in feminines for form in (noun, f"{noun}s")}


def read_data(name: str) -> str:
    """The text of a data file of the guard."""
    return files("jw_eval_store.judges.guard").joinpath("data", name).read_text("utf-8")


@lru_cache(maxsize=4096)
def words(sentence: str, language: str) -> tuple[Word, ...]:
    """The words of a sentence (see `_WORD`)."""
    found = _WORD.findall(unmarked(sentence).replace("’", "'"))
    lists = lexicon(language)
    return tuple(
        _word(written, following, lists, index == 0)
        for index, (written, following) in enumerate(zip_longest(found, found[1:], fillvalue=""))
    )


def _word(written: str, following: str, lists: Lexicon, first: bool) -> Word:
    lower = written.casefold()
    known = lists.contractions.get(lower) or lists.lemmas.get(lower)
    if written[0].isupper() and following[:1].isdigit():
        known = _book(written, lists.language) or known
    return Word(written, lower, known or lemma(lower, lists.language), first)


@lru_cache(maxsize=4096)
def _book(written: str, language: str) -> str | None:
    """One lemma for every name of a book of the Bible: `Hch` and `Hechos` are `book 44`."""
    for name in (written, f"1 {written}"):
        for found in parse_references(f"{name} 1:1", language):
            return f"book {found.book}"
    return None


@lru_cache(maxsize=65536)
def lemma(word: str, language: str) -> str:
    """The dictionary form of a word in lower case; itself where none is known."""
    from simplemma import lemmatize

    return lemmatize(word, lang=language).casefold()


def language_of(sentence: str, default: str) -> str:
    """es, en or pt by its function words; the default where they don't decide."""
    lowered = [word.casefold() for word in re.findall(r"[^\W\d_]+", sentence)]
    votes = {name: sum(w in lexicon(name).signs for w in lowered) for name in LANGUAGES}
    best = max(votes.values())
    winners = [name for name, count in votes.items() if count == best]
    if default in winners or best == 0:
        return default if default in LANGUAGES else "en"
    return winners[0]

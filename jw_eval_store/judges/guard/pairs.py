"""Two sentences side by side, as the guard's checks see them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from jw_eval_store.judges.guard.words import Lexicon, Word, language_of, lexicon, words


class Difference(NamedTuple):
    """What one sentence says and the other doesn't; `firm` as of `domain.matching.Flag`."""

    text: str
    firm: bool = False


@dataclass(frozen=True)
class Side:
    """One sentence with its words and its language's lists."""

    text: str
    language: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words in order."""
        return words(self.text, self.language)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The word lists of its language."""
        return lexicon(self.language)

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """All lemmas and lower-case forms in it."""
        return frozenset(w.lemma for w in self.words) | frozenset(w.lower for w in self.words)


@dataclass(frozen=True)
class Pair:
    """A golden sentence and its match in the candidate."""

    golden: Side
    candidate: Side

    @property
    def same_language(self) -> bool:
        """Whether words of both can be compared as they are."""
        return self.golden.language == self.candidate.language


def base_language(tag: str) -> str:
    """`es` of `es-mx`."""
    return tag.partition("-")[0]


def pair_of(golden: str, candidate: str, language: str) -> Pair:
    """Both sentences in the language their own words show, else the golden one's, else `language`.

    `language` is the case's, BCP 47.
    """
    first = language_of(golden, base_language(language))
    return Pair(Side(golden, first), Side(candidate, language_of(candidate, first)))

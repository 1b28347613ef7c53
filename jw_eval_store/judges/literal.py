"""Near-literal agreement: the candidate says the golden answer in its own words, and no more.

The one thing that may pass without a judge. Every golden sentence recurs in a sentence that adds
no word, keeps the order, and leaves out nothing that the rest hangs on ("Jesús es el Hijo de Dios"
must not be read into "Jesús es Dios"); and the candidate says nothing else. Greetings and the like
go to the judge, since "all of this is false" is as far off the topic as "good morning".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from jw_eval_store.domain.matching import Flag, LiteralAgreement, TopicMatch
from jw_eval_store.judges.guard.names import canonical
from jw_eval_store.judges.guard.pairs import Pair, Side, base_language, pair_of
from jw_eval_store.judges.guard.words import LANGUAGES, Lexicon, Word
from jw_eval_store.judges.voice import is_other_voice

MIN_KEPT = 0.5
"""Least share of a golden sentence's words that its match must keep, and not under `MIN_WORDS`."""

MIN_WORDS = 3
_CLAUSE = re.compile(r"[,;:()—–]")
MAX_GAP = 1
"""Most words left out between two that are kept: an adjective. More could be another subject."""


def near_literal(topic: TopicMatch, flags: Sequence[Flag], language: str) -> LiteralAgreement:
    """Whether everything agrees; the reason names the first difference.

    `language` (BCP 47) is used for sentences whose own words don't tell theirs.
    """
    reason = next(_differences(topic, flags, language), None)
    if reason:
        return LiteralAgreement(agrees=False, reason=reason)
    return LiteralAgreement(agrees=True, reason="says the golden answer's words and no more")


def _differences(topic: TopicMatch, flags: Sequence[Flag], language: str) -> Iterator[str]:
    yield from (f"{flag.kind}: {flag.difference}" for flag in flags)
    for match in topic.matches:
        reason = difference(match.golden, match.candidate, language)
        if reason:
            yield f"{reason}: “{match.candidate}”"
    said = {position for match in topic.matches for position in match.positions}
    repeated = {topic.sentences[position] for position in said}
    yield from (f"says more: “{one}”" for one in topic.sentences if one not in repeated)


def difference(golden: str, candidate: str, language: str) -> str | None:
    """Why a sentence is not the golden one with harmless words left out; none if it is."""
    pair = pair_of(golden, candidate, language)
    if base_language(language) not in LANGUAGES and not _same_words(pair):
        return f"the guard has no words of {language}, so only the same words agree"
    if not pair.same_language:
        return f"is in another language ({pair.candidate.language})"
    wanted, said = _weighty(pair.golden), _weighty(pair.candidate)
    if is_other_voice(pair):
        return None
    lexicon = pair.golden.lexicon
    places: list[int] = []
    for word in said:
        start = places[-1] + 1 if places else 0
        place = next(
            (i for i in range(start, len(wanted)) if _same(wanted[i], word, lexicon)), None
        )
        if place is None:
            return f"adds or moves “{word.written}”"
        places.append(place)
    if len(places) < min(len(wanted), max(MIN_WORDS, MIN_KEPT * len(wanted))):
        return f"keeps {len(places)} of {len(wanted)} words"
    starts, named = _clause_starts(pair.golden), _with_articles(pair.golden)
    lost = _Omission(wanted, places, starts, named, lexicon).first_that_matters()
    return f"leaves out “{lost}”" if lost else _broken_off(pair.candidate, wanted[places[-1] + 1 :])


def _same_words(pair: Pair) -> bool:
    return [w.lower for w in pair.golden.words] == [w.lower for w in pair.candidate.words]


def _weighty(side: Side) -> list[Word]:
    """Every word but articles."""
    return [w for w in side.words if w.lower not in side.lexicon.articles]


def _same(one: Word, other: Word, lexicon: Lexicon) -> bool:
    """Whether two words are one, by alias or lemma; "is" and "was" are not."""
    if one.lemma in lexicon.auxiliaries:
        return one.lower == other.lower
    return canonical(one) == canonical(other)


@dataclass(frozen=True)
class _Omission:
    """The golden sentence's words, the places of those that were kept, in order, of those where a
    clause starts, and of those with an article.
    """

    wanted: Sequence[Word]
    places: Sequence[int]
    starts: Collection[int]
    named: Collection[int]
    lexicon: Lexicon

    def first_that_matters(self) -> str | None:
        """A stretch left out that may change what the rest says; none if all are harmless.

        Harmless is a clause that follows the last word kept, unless a preposition ties it to that
        word, and an adjective, adverb or the like in between, or at a clause's end: a word in its
        dictionary form, as few verbs stand there, without an article, as an object has. The start
        frames the rest, and of a clause cut otherwise ("the soul" of "the soul dies too") nothing
        is known.
        """
        before = -1
        for place in self.places:
            gap = self.wanted[before + 1 : place]
            if gap and (before < 0 or len(gap) > MAX_GAP or any(map(self._ties, gap))):
                return _shown(gap)
            before = place
        rest = self.wanted[before + 1 :]
        return None if not rest or self._may_end(before + 1) else _shown(rest)

    def _may_end(self, place: int) -> bool:
        """Whether a sentence may end before this place and say no less that matters."""
        first = self.wanted[place]
        if first.lemma in self.lexicon.prepositions:
            return False
        if place in self.starts or first.lemma in self.lexicon.links:
            return True
        kept = place - max((start for start in self.starts if start < place), default=0)
        is_last = place + 1 == len(self.wanted) or place + 1 in self.starts
        is_plain = first.lower == first.lemma and place not in self.named
        return is_last and is_plain and kept >= MIN_WORDS

    def _ties(self, word: Word) -> bool:
        return word.lemma in self.lexicon.prepositions | self.lexicon.links


def _clause_starts(side: Side) -> frozenset[int]:
    """Places, among the words that count, that come after a comma, a colon or the like."""
    counts = [len(_weighty(replace(side, text=part))) for part in _CLAUSE.split(side.text)]
    return frozenset(accumulate(counts))


def _with_articles(side: Side) -> frozenset[int]:
    """Places, among the words that count, that come after an article."""
    articles = side.lexicon.articles
    counted = accumulate(word.lower not in articles for word in side.words)
    pairs = zip(side.words, counted, strict=True)
    return frozenset(before for word, before in pairs if word.lower in articles)


def _broken_off(candidate: Side, lost: Sequence[Word]) -> str | None:
    """Why it is no sentence: its end is lost, and it stops at a word that wants more."""
    last, lists = candidate.words[-1], candidate.lexicon
    open_ends = (lists.articles, lists.prepositions, lists.links, lists.auxiliaries)
    if lost and any(last.lower in one or last.lemma in one for one in open_ends):
        return f"breaks off at “{last.written}”"
    return None


def _shown(words: Sequence[Word]) -> str:
    shown = " ".join(word.written for word in words[:6])
    return f"{shown} ..." if len(words) > 6 else shown

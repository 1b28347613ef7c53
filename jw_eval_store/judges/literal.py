"""Near-literal agreement: the candidate says the golden answer in its own words, and no more.

The one thing that may pass without a judge. Every golden sentence recurs in a sentence that adds
no word, keeps the order, and leaves out nothing that the rest hangs on ("Jesús es el Hijo de Dios"
must not be read into "Jesús es Dios"); and the candidate says nothing else. Greetings and the like
go to the judge, since "all of this is false" is as far off the topic as "good morning".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jw_eval_store.domain.matching import Flag, LiteralAgreement, TopicMatch
from jw_eval_store.judges.guard.names import canonical
from jw_eval_store.judges.guard.pairs import Pair, Side, base_language, pair_of
from jw_eval_store.judges.guard.words import LANGUAGES, Lexicon, Word
from jw_eval_store.judges.voice import is_other_voice

MIN_KEPT = 0.5
"""Least share of a golden sentence's words that its match must keep, and not under `MIN_WORDS`."""

MIN_WORDS = 3
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
    lost = _Omission(wanted, places, lexicon).first_that_matters()
    return f"leaves out “{lost}”" if lost else None


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
    """The golden sentence's words, and the places of those that were kept, in order."""

    wanted: Sequence[Word]
    places: Sequence[int]
    lexicon: Lexicon

    def first_that_matters(self) -> str | None:
        """A stretch left out that may change what the rest says; none if all are harmless.

        Harmless is what follows the last word kept, unless a preposition ties it to that word, and
        an adjective, adverb or the like in between. The start frames the rest.
        """
        before = -1
        for place in self.places:
            gap = self.wanted[before + 1 : place]
            if gap and (before < 0 or len(gap) > MAX_GAP or any(map(self._ties, gap))):
                return _shown(gap)
            before = place
        rest = self.wanted[before + 1 :]
        return _shown(rest) if rest and rest[0].lemma in self.lexicon.prepositions else None

    def _ties(self, word: Word) -> bool:
        return word.lemma in self.lexicon.prepositions | self.lexicon.links


def _shown(words: Sequence[Word]) -> str:
    shown = " ".join(word.written for word in words[:6])
    return f"{shown} ..." if len(words) > 6 else shown

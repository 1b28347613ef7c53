"""All checks of the guard together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from jw_eval_store.domain.matching import Flag, FlagKind, SentenceMatch
from jw_eval_store.judges.guard.names import names
from jw_eval_store.judges.guard.numbers import numbers
from jw_eval_store.judges.guard.pairs import Difference, Pair, pair_of
from jw_eval_store.judges.guard.polarity import antonyms, polarity
from jw_eval_store.judges.guard.qualifiers import qualifiers
from jw_eval_store.judges.guard.references import references

CHECKS: dict[FlagKind, Callable[[Pair], Iterator[Difference]]] = {
    "polarity": polarity,
    "antonym": antonyms,
    "number": numbers,
    "reference": references,
    "name": names,
    "qualifier": qualifiers,
}


def flags(matches: Iterable[SentenceMatch], language: str) -> tuple[Flag, ...]:
    """Every difference between golden sentences and their matches, sentence by sentence.

    `language` (BCP 47) is used for sentences whose own words don't tell theirs.
    """
    return tuple(
        Flag(kind=kind, golden=match.golden, candidate=match.candidate, difference=text, firm=firm)
        for match in matches
        for kind, (text, firm) in _differences(match, language)
    )


def _differences(match: SentenceMatch, language: str) -> Iterator[tuple[FlagKind, Difference]]:
    pair = pair_of(match.golden, match.candidate, language)
    for kind, check in CHECKS.items():
        for difference in check(pair):
            yield kind, difference

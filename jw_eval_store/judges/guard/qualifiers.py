"""What narrows a statement: only, if, but, may, some, "they believe", a future, a question.

Leaving such a word out, or putting it in, changes what is said without any negation: "Muchos creen
que el alma es inmortal" does not say that it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.judges.guard.pairs import Difference, Pair, Side
from jw_eval_store.judges.guard.words import Word

HEDGES = frozenset({"modality", "some", "few", "attribution"})
"""Kinds that make less of what is said: "the soul may die", "some Christians", "they believe"."""

LESS = HEDGES | {"many", "near"}
"""Kinds of which a golden sentence with one says no more than that itself."""


def qualifiers(pair: Pair) -> Iterator[Difference]:
    """Kinds of qualifying words that stand in one of the two sentences only; firm where what the
    golden answer says outright is hedged.
    """
    golden, candidate = _kinds(pair.golden), _kinds(pair.candidate)
    for kind in sorted(golden.keys() ^ candidate.keys()):
        side = "golden answer" if kind in golden else "candidate"
        text = f"{kind} ({(golden | candidate)[kind]}) stands in the {side} only"
        yield Difference(text, firm=kind in HEDGES and not golden.keys() & LESS)


def _kinds(side: Side) -> dict[str, str]:
    """Kind of qualifier -> the first word of that kind."""
    found: dict[str, str] = {}
    for word in side.words:
        kind = _kind(word, side)
        if kind:
            found.setdefault(kind, word.lower)
    return found


def _kind(word: Word, side: Side) -> str | None:
    if word.lower == "?":
        return "question"
    if side.lexicon.future.search(word.lower):
        return "future"
    known = side.lexicon.qualifiers
    return known.get(word.lower) or known.get(word.lemma)

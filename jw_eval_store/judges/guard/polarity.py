"""What turns a statement round: negators and what they negate, deniers, prefixes, antonyms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jw_eval_store.judges.guard.pairs import Difference, Pair, Side

_IDIOMS = frozenset(
    {
        ("sin", "embargo"), ("sin", "duda"), ("no", "obstante"), ("sem", "dúvida"),
        ("without", "doubt"), ("no", "doubt"), ("no", "wonder"),
    }
)  # fmt: skip
_VERB_NEGATORS = frozenset({"no", "não", "not"})
_STANDING_ALONE = frozenset({"sin", "sem", "ni", "nem", "without", "nor", "neither", "no", "n't"})
_CONCORD = 7


def polarity(pair: Pair) -> Iterator[Difference]:
    """Different numbers of negations, or a word negated here and not there, which is firm."""
    golden, candidate = negated(pair.golden), negated(pair.candidate)
    turned: set[str] = set()
    if pair.same_language:
        turned |= (set(golden) - set(candidate)) & pair.candidate.lemmas
        turned |= (set(candidate) - set(golden)) & pair.golden.lemmas
    if len(golden) != len(candidate):
        yield Difference(f"{_listed(golden)} against {_listed(candidate)}", firm=bool(turned))
    elif turned:
        text = f"negated in one of them only: {', '.join(sorted(turned))}"
        yield Difference(text, firm=True)
    if pair.same_language:
        yield from _denied(pair)


def negated(side: Side) -> list[str]:
    """The word that each negator of a sentence negates: the next one that carries meaning.

    In Spanish and Portuguese `no ... nada` is one negation, not two.
    """
    found, last = [], -_CONCORD
    for index, word in enumerate(side.words):
        if word.lower not in side.lexicon.negators or _is_idiom(side, index):
            continue
        doubled = word.lower not in _STANDING_ALONE and word.lower not in _VERB_NEGATORS
        if not (doubled and side.language != "en" and index - last < _CONCORD):
            found.append(_head(side, index))
        if word.lower in _VERB_NEGATORS:
            last = index
    return found


def _is_idiom(side: Side, index: int) -> bool:
    after = side.words[index + 1].lower if index + 1 < len(side.words) else ""
    return (side.words[index].lower, after) in _IDIOMS


def _head(side: Side, index: int) -> str:
    lists = side.lexicon
    empty = lists.articles | lists.auxiliaries | lists.links | lists.prepositions
    empty |= lists.negators
    for word in side.words[index + 1 :]:
        if word.lemma not in empty and word.lower not in empty:
            return word.lemma
    return ""


def _denied(pair: Pair) -> Iterator[Difference]:
    golden, candidate = _deniers(pair.golden), _deniers(pair.candidate)
    if golden != candidate:
        words = ", ".join(sorted(golden ^ candidate))
        yield Difference(f"says otherwise by a word of denial: {words}")


def _deniers(side: Side) -> frozenset[str]:
    return frozenset(w.lemma for w in side.words if _denies(side, w.lemma, w.lower))


def _denies(side: Side, lemma: str, lower: str) -> bool:
    return lemma in side.lexicon.deniers or lower in side.lexicon.deniers


def _listed(heads: Iterable[str]) -> str:
    shown = ", ".join(head or "..." for head in heads)
    return f"negates {shown}" if shown else "no negation"


def antonyms(pair: Pair) -> Iterator[Difference]:
    """A word here whose opposite stands there, by list or by a prefix (mortal, inmortal)."""
    if not pair.same_language:
        return
    golden = pair.golden.lemmas - pair.candidate.lemmas
    candidate = pair.candidate.lemmas - pair.golden.lemmas
    for one in sorted(golden):
        for other in sorted(candidate):
            if (one, other) in pair.golden.lexicon.antonyms or _prefixed(pair.golden, one, other):
                yield Difference(f"{one} against {other}", firm=True)


def _prefixed(side: Side, one: str, other: str) -> bool:
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return len(shorter) > 3 and any(longer == p + shorter for p in side.lexicon.prefixes)

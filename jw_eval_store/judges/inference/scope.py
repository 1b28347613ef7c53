"""Which answers thresholds hold for: statements, in the golden answer's language.

Thresholds are found on sentences of one language. A sentence in another one is read less well, one
in a script without a vocabulary not at all, and either may look as if it followed. And whatever is
cut out of the golden answer follows from it: "the soul" follows from "the soul dies".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category, name

from jw_eval_store.judges.guard.words import LANGUAGES, lexicon, words
from jw_eval_store.judges.inference.plain import repeats, says_the_same
from jw_eval_store.judges.inference.sheet import Sheet

SCOPE_VERSION = "5"
"""Grows whenever the same answer may be in or out of scope otherwise."""

LEAST_OWN = 0.2
"""Of a sentence's words so many at least are function words of its language: two of nine aren't
French ones by chance; of true pairs 2 of 100 have fewer."""

LEAST_WORDS = 3
"""A statement has a subject, a verb and mostly something more."""

PARTIAL_KINDS = frozenset({"chat"})
"""Kinds of text of which no completeness is asked: a reply may keep to a part of its source, but
alone passes only in the source's own words. What chatbots add is often a word or two."""

OPENINGS = frozenset(
    ("yes", "yeah", "yep", "oh", "well", "right", "okay", "ok", "sure", "actually", "indeed")
)
"""Words that chatbots begin with and say nothing by."""

LEAST_CONTENT = 3
"""Words, other than function words and negators, of a sentence that shares none with the golden
answer and still says something by itself."""

LEAST_ANSWER = 2
"""Words of a clause that answers: who and does."""

JUDGING = {
    *("true", "truth", "untrue", "false", "falsely", "falsehood", "myth", "wrong", "incorrect"),
    *("mistaken", "verdad", "cierto", "cierta", "falso", "falsa", "mentira", "mito", "incorrecto"),
    *("equivocado", "verdade", "certo", "certa", "errado", "errada", "incorreto"),
}
"""Words by which one statement judges another, in any of the three languages."""

_CLAUSE = re.compile(r"[,.;:!?]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_SPEAKING = frozenset({"So", "Sm"})
"""Kinds of signs that may say no: a cross, a thumb turned down, `≠`, struck out with `~~`."""

_QUESTION = re.compile(r"\?[!?.…\"'»”’)\]*_]*$")


def foreign(sheet: Sheet, language: str) -> str | None:
    """Why nothing may be decided alone: the first sentence in another language; none: all is well.

    `language` is the golden answer's, without region. Of one without word lists nothing is known.
    """
    if language not in LANGUAGES:
        return None
    odd = next((one for one in sheet.candidate if not _is_written_in(one, language)), None)
    return None if odd is None else f"“{odd}” does not read like {language}, and is the judge's"


def excerpt(sheet: Sheet, language: str, kind: str) -> str | None:
    """Why nothing may be passed alone: something is asked, or said by a sign or in other letters,
    or called true or false; all that is said is cut out of the golden answer or put in another
    order; a sentence says nothing by itself, or has a golden one with something around it. Of a
    reply that may keep to a part: something is not cut out.

    Where that leaves out nothing that matters, near-literal agreement has seen it before.
    """
    said = " ".join(sheet.candidate)
    if len(_LETTERS.findall(said)) < LEAST_WORDS:
        return f"“{said}” is too short to be a statement, and is the judge's"
    if question := next(filter(_QUESTION.search, sheet.candidate), None):
        return f"“{question}” asks, and whether that says anything is the judge's"
    if signs := _signs(said) - _signs(" ".join(sheet.golden)):
        return f"“{min(signs)}” may say something, and is the judge's"
    own, known = _weighty(said, language), _weighty(" ".join(sheet.golden), language)
    if kind in PARTIAL_KINDS:
        return (
            _added(own - known - OPENINGS)
            or _answering(said, language)
            or _repeating(sheet, language)
        )
    if own < known:
        return "cut out of the golden answer, and whether what is left out matters is the judge's"
    return _judging(sheet) or _reordered(sheet, language) or _beside(sheet, language, known)


def _judging(sheet: Sheet) -> str | None:
    """ "It is not true that ... not": how often such a statement turns round is hard to count."""
    said, golden = (
        Counter(w for one in side for w in _LETTERS.findall(one.lower()) if w in JUDGING)
        for side in (sheet.candidate, sheet.golden)
    )
    word = min(said - golden, default=None)
    return None if word is None else f"“{word}” may judge what is said, and is the judge's"


def _reordered(sheet: Sheet, language: str) -> str | None:
    """ "When the soul dies, the person dies": the golden answer's words, and another meaning."""
    golden = [_weighty_words(one, language) for one in sheet.golden]
    for sentence in sheet.candidate:
        said = _weighty_words(sentence, language)
        if any(set(said) <= set(one) and not _in_order(said, one) for one in golden):
            return f"“{sentence}” has the golden answer's words in another order: the judge's"
    return None


def _in_order(some: Sequence[str], every: Sequence[str]) -> bool:
    rest = iter(every)
    return all(word in rest for word in some)


def _beside(sheet: Sheet, language: str, known: frozenset[str]) -> str | None:
    """ "No, that is not true" says nothing by itself, "It was once believed that ..." has all of
    what it takes back: small weights find that either follows.
    """
    negators = lexicon(language).negators
    every = Counter(_weighty_words(" ".join(sheet.golden), language))
    for sentence in sheet.candidate:
        own = _weighty(sentence, language) - negators
        is_one_of_many = len(sheet.candidate) > 1
        if not own & known and (is_one_of_many or len(own) < LEAST_CONTENT):
            return f"“{sentence}” may deny what stands beside it, and is the judge's"
        whole = next((one for one in sheet.golden if repeats(one, sentence)), None)
        added = Counter(_weighty_words(sentence, language)) - every
        if whole and added and not says_the_same(whole, sentence):
            return f"“{next(iter(added))}” beside “{whole}” may deny it, and is the judge's"
    return None


def _added(new: frozenset[str]) -> str | None:
    return f"the source has no “{min(new)}”, and what it means is the judge's" if new else None


def _answering(said: str, language: str) -> str | None:
    """ "They are!" says yes to a question that the source does not show, "It doesn't" no."""
    clauses = (part.strip() for part in _CLAUSE.split(said))
    first = next((c for c in clauses if set(_LETTERS.findall(c.lower())) - OPENINGS), "")
    lists = lexicon(language)
    verbs = {w.lemma for w in words(first, language)} & lists.auxiliaries
    if not verbs and len(_LETTERS.findall(first)) < LEAST_ANSWER:
        return None
    if _weighty(first, language) - OPENINGS - lists.negators:
        return None
    return f"“{first}” answers a question that is not shown, and is the judge's"


def _repeating(sheet: Sheet, language: str) -> str | None:
    """ "Light is evoked by light", of "It is evoked by light": the source's words, and nonsense."""
    known = Counter(_weighty_words(" ".join(sheet.golden), language))
    for sentence in sheet.candidate:
        said = Counter(_weighty_words(sentence, language))
        if more := [word for word, times in said.items() if times > max(1, known[word])]:
            return f"“{min(more)}” stands there more often than in the source: the judge's"
    return None


def framed(sheet: Sheet) -> str | None:
    """Why nothing may be failed alone: what seems to contradict a golden sentence repeats it, as in
    "according to Luke 10:42, ...". Whether the rest denies it is hard for small weights.
    """
    said = sheet.said(sheet.worst)
    if not repeats(sheet.premise(sheet.worst), said):
        return None
    return f"“{said}” repeats what it seems to contradict, and is the judge's"


def _signs(text: str) -> frozenset[str]:
    return frozenset(c for c in text if category(c) in _SPEAKING or _is_of_another_script(c))


def _is_of_another_script(letter: str) -> bool:
    """A letter that no word of es, en or pt has: it may look like one of theirs."""
    return letter.isalpha() and not name(letter, "").startswith(("LATIN", "FEMININE", "MASCULINE"))


def _weighty(text: str, language: str) -> frozenset[str]:
    """Words in dictionary form, without those that only hold others together."""
    return frozenset(_weighty_words(text, language))


def _weighty_words(text: str, language: str) -> list[str]:
    lists = lexicon(language)
    empty = _function_words(lists.language) - lists.negators
    found = (w for w in words(text, lists.language) if w.lower.isalnum() or w.lower == "n't")
    return [w.lemma for w in found if not {w.lower, w.lemma} & empty]


def _is_written_in(sentence: str, language: str) -> bool:
    """Whether function words of the language are there, and not more of another one's."""
    lowered = [word.casefold() for word in _LETTERS.findall(sentence)]
    votes = {name: sum(w in lexicon(name).signs for w in lowered) for name in LANGUAGES}
    own = sum(word in _function_words(language) for word in lowered)
    return own >= max(1, LEAST_OWN * len(lowered)) and votes[language] == max(votes.values())


@lru_cache
def _function_words(language: str) -> frozenset[str]:
    lists = lexicon(language)
    own = (lists.signs, lists.articles, lists.prepositions, lists.links, lists.auxiliaries)
    return lists.negators.union(*own)

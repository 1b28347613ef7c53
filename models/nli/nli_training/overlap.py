"""Pairs in which shared words say what they say in other people's labels.

In families written by hand what follows has as many words of its own as what does not (captions: 43
and 40 % of them), and whoever learns from them only, learns that shared words mean nothing. In
labelled sets they mean much: of its own words a reply of BEGIN that keeps to its source has 10 %,
another one 58 %; in InferES it is 44 and 72 %. So there are also sentences with a word or two put
another way, and sentences of other families that share some words.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from jw_eval_nli import words_of

from nli_training.changes import other_form, synonym, word_lists
from nli_training.pairs import DEVELOPMENT_SHARE, ENTAILMENT, NEUTRAL, Pair, is_development

Sentence = tuple[str, str, str]
"""Text, language, group."""

LEAST_OWN = 0.5
"""Share of its own words from which on a sentence of another family does not follow by chance."""

TRIED = 40
ARTICLES = {
    "pt": {"Um ": "O ", "Uma ": "A ", "Uns ": "Os ", "Umas ": "As "},
    "es": {"Un ": "El ", "Una ": "La ", "Unos ": "Los ", "Unas ": "Las "},
    "en": {"A ": "The ", "An ": "The "},
}
THERE_IS = {
    "pt": (r"^(Uma?) (\w+) está (\w+ndo)\b", "Há {} {} {}"),
    "es": (r"^(Una?) (\w+) está (\w+ndo)\b", "Hay {} {} {}"),
    "en": (r"^(An?) (\w+) is (\w+ing)\b", "There is {} {} {}"),
}


def reworded(sentence: Sentence, rng: random.Random) -> Iterator[Pair]:
    """One to three of: a synonym, another article, a figure for a number word, "there is"."""
    text, lang, group = sentence
    lists, new = word_lists()[lang], text
    for _ in range(rng.choice((1, 1, 2))):
        new = synonym(new, lists, rng) or new
    new = other_form(new, lists, rng) or new if rng.random() < 0.5 else new
    new = rng.choice((_told_of, _there_is, _as_is))(new, lang)
    if new != text:
        one, other = (text, new) if rng.random() < 0.7 else (new, text)
        yield Pair(one, other, ENTAILMENT, lang, "overlap:reworded", group)


def neighbours(
    sentences: Iterable[Sentence], rng: random.Random, held: float = DEVELOPMENT_SHARE
) -> Iterator[Pair]:
    """For each sentence two of other families: one that shares rare words, and any one. `held`:
    the share of families that is held back.
    """
    by_language: dict[str, list[Sentence]] = defaultdict(list)
    for sentence in sentences:
        by_language[sentence[1]].append(sentence)
    for own in by_language.values():
        index = _index(own)
        for text, lang, group in own:
            near = [own[at] for key in _keys(text) for at in index.get(key, ())]
            for pool in (near, own):
                beside = [s for s in rng.sample(pool, min(TRIED, len(pool))) if s[2] != group]
                other = _other(beside, text, is_development(group, held), held)
                if other is not None:
                    yield Pair(text, other, NEUTRAL, lang, "overlap:neighbour", group)


def _other(beside: Sequence[Sentence], text: str, is_held: bool, held: float) -> str | None:
    """The first on the same side of the split that says enough of its own."""
    known = set(_keys(text))
    for other, _, group in beside:
        own = _keys(other)
        enough = sum(key not in known for key in own) >= max(2, LEAST_OWN * len(own))
        if enough and is_development(group, held) == is_held:
            return other
    return None


def _index(sentences: Sequence[Sentence]) -> dict[str, list[int]]:
    """Places of the words that stand in some sentences, but not in many."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, (text, *_) in enumerate(sentences):
        for key in set(_keys(text)):
            places[key].append(at)
    often = Counter({key: len(found) for key, found in places.items()})
    return {key: places[key] for key in often if 2 <= often[key] <= len(sentences) / 20}


def _keys(text: str) -> list[str]:
    """Its words of four letters and more."""
    return [key for key in words_of(text) if len(key) > 3]


def _told_of(text: str, lang: str) -> str:
    """With the other article at its beginning."""
    found = next((a for a in ARTICLES[lang] if text.startswith(a)), None)
    return ARTICLES[lang][found] + text[len(found) :] if found else text


def _there_is(text: str, lang: str) -> str:
    pattern, form = THERE_IS[lang]
    return re.sub(pattern, lambda m: form.format(m[1].lower(), m[2], m[3]), text)


def _as_is(text: str, lang: str) -> str:
    return text

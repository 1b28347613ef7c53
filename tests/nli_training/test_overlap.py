"""Shared words mean something: light rewordings follow, sentences of other families don't."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from jw_eval_nli import words_of

from nli_training.overlap import neighbours, reworded
from nli_training.pairs import ENTAILMENT, NEUTRAL, is_development
from nli_training.sources import golden_sentences

CAPTIONS = [s for s in golden_sentences() if s[2].split(":")[0].endswith("_captions")]
FAMILIES = Counter(text for text, *_ in CAPTIONS)
OF_ONE_FAMILY = [s for s in CAPTIONS if FAMILIES[s[0]] == 1]
"""Five captions stand in two families each, and what they say tells no family."""

SEEDS = st.integers(0, 10**6)


@given(SEEDS, st.sampled_from(CAPTIONS))
def test_a_rewording_has_most_words_of_its_sentence(
    seed: int, sentence: tuple[str, str, str]
) -> None:
    for pair in reworded(sentence, random.Random(seed)):
        known, said = set(words_of(pair.premise)), words_of(pair.hypothesis)
        assert pair.label == ENTAILMENT
        assert pair.premise != pair.hypothesis
        assert sentence[0] in (pair.premise, pair.hypothesis)
        assert sum(word in known for word in said) >= len(said) / 2 - 1


@given(SEEDS)
def test_neighbours_are_of_other_families_on_the_same_side_of_the_split(seed: int) -> None:
    some = random.Random(seed).sample(OF_ONE_FAMILY, 120)
    group_of = {text: group for text, _, group in some}
    language_of = {text: lang for text, lang, _ in some}
    for pair in neighbours(some, random.Random(seed)):
        assert pair.label == NEUTRAL
        other = group_of[pair.hypothesis]
        assert other != pair.group
        assert is_development(other) == is_development(pair.group)
        assert language_of[pair.hypothesis] == pair.lang
        own = [w for w in words_of(pair.hypothesis) if len(w) > 3]
        assert sum(w not in words_of(pair.premise) for w in own) >= max(2, len(own) / 2)


def test_every_caption_gets_one_that_shares_words_where_there_is_one() -> None:
    said = [
        ("A man is feeding a giraffe", "en", "a"),
        ("A giraffe is drinking from a muddy river", "en", "b"),
        ("Two nurses are playing chess outdoors", "en", "c"),
    ]
    filler = [(f"Nobody {w} anything whatsoever today", "en", w) for w in map(chr, range(900, 960))]
    made = list(neighbours(said + filler, random.Random(1)))
    assert ("A man is feeding a giraffe", said[1][0]) in {(p.premise, p.hypothesis) for p in made}

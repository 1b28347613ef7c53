"""Replies keep to their source or add to it, and the class says which."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from nli_training.chat import chat_pairs, core, lists
from nli_training.pairs import ENTAILMENT, NEUTRAL
from nli_training.vocabulary import LANGUAGES

SOURCE = "The ark was built by Noah in Genesis, and eight people entered it."


@given(st.integers(0, 10**6))
def test_what_is_taken_over_stands_in_the_source(seed: int) -> None:
    said = core(SOURCE, "en", random.Random(seed)).removeprefix("it ")
    assert said in SOURCE
    assert len(said.split()) > 2


@given(st.integers(0, 10**6), st.sampled_from(LANGUAGES))
def test_added_opinions_and_claims_are_not_entailed(seed: int, lang: str) -> None:
    made = list(chat_pairs(SOURCE, lang, "group", random.Random(seed)))
    assert [pair.label for pair in made] == [ENTAILMENT] * 3 + [NEUTRAL] * 5
    added = [
        w.lower() for kind in ("of_oneself", "opinions", "additions") for w in lists()[lang][kind]
    ]
    assert made[-1].hypothesis.endswith("?")
    for pair in made[:-1]:
        flat = pair.hypothesis.lower().replace(" .", ".").replace(" ,", ",")
        flat = flat.replace(" !", "!").replace(" ?", "?")
        assert any(text.rstrip(".") in flat for text in added) == (pair.label == NEUTRAL)

"""Figures for words of one's own are those that the labels show."""

from __future__ import annotations

import math
import random

import pytest

from nli_training.pairs import ENTAILMENT, NOT_ENTAILED, Pair

pytestmark = pytest.mark.model
SOURCE = "one two three four five six seven eight"


def labelled(slope: float, times: int) -> list[Pair]:
    """Replies of eight words; log-odds that one follows fall by `slope` with each own word."""
    rng, made = random.Random(3), []
    for number in range(times):
        own = rng.randrange(9)
        said = SOURCE.split()[own:] + [f"x{number}y{i}" for i in range(own)]
        follows = rng.random() < 1 / (1 + math.exp(-(3 - slope * own)))
        label = ENTAILMENT if follows else NOT_ENTAILED
        made.append(Pair(SOURCE, " ".join(said), label, "en", "begin", SOURCE))
    return made


def test_what_the_labels_follow_is_found() -> None:
    from nli_training.own_words import word_odds

    found = word_odds(labelled(1.0, 4000) * 2)
    by_words = found["each"] + found["share"] / 8
    assert found["intercept"] == pytest.approx(3, abs=0.35)
    assert by_words == pytest.approx(-1, abs=0.12)


def test_pairs_of_one_label_show_nothing() -> None:
    from nli_training.own_words import word_odds

    with pytest.raises(SystemExit, match="are needed"):
        word_odds([p for p in labelled(1.0, 50) if p.label == ENTAILMENT])

"""A second, simple reader beside the weights: how many words a sentence has of its own.

A small network that was taught on sentences written for it makes too little of plain agreement in
words, which pairs that other people wrote or labelled go by. For kinds of text that its card has
figures for, both opinions are pooled: the weighted mean of their log-odds that the sentence follows
(logarithmic opinion pool, Genest & Zidek 1986).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from jw_eval_store.domain.values import Value
from jw_eval_store.judges.inference.interface import Inference, InferenceModel

_SURE = math.log(0.999 / 0.001)
"""Log-odds of either opinion are taken no further from even than those of 999 in 1,000."""


class WordOdds(Value):
    """Log-odds that a sentence follows: `intercept`, and what is added for each word that the
    premise has not, and for their share of its words. Found by logistic regression. `weight`, from
    0 to 1, is what this opinion counts beside the network's; `most` the highest log-odds it may
    give: with 0 words of its own speak against a sentence, and their absence for nothing.
    """

    intercept: float
    each: float
    share: float
    weight: Annotated[float, Field(ge=0, le=1)]
    most: float = _SURE

    def of(self, premise: Sequence[str], hypothesis: Sequence[str]) -> float:
        """For the words of both as the model compares them; 0 where the second has none."""
        if not hypothesis:
            return 0.0
        known = set(premise)
        own = sum(word not in known for word in hypothesis)
        return min(self.intercept + self.each * own + self.share * own / len(hypothesis), self.most)


def pooled(said: Inference, log_odds: float, weight: float) -> Inference:
    """Both opinions of whether it follows, the second with its weight. Words argue no contradiction
    away, and make none: what they add or take is the neutral class's.
    """
    mean = (1 - weight) * _sure(_log_odds(said.entailment)) + weight * _sure(log_odds)
    entailment = round(min(1 / (1 + math.exp(-mean)), 1 - said.contradiction), 4)
    return Inference(entailment, round(1 - entailment - said.contradiction, 4), said.contradiction)


def _log_odds(probability: float) -> float:
    if probability in (0, 1):
        return math.copysign(math.inf, probability - 0.5)
    return math.log(probability / (1 - probability))


def _sure(log_odds: float) -> float:
    return min(max(log_odds, -_SURE), _SURE)


class WithWordOdds(InferenceModel):
    """A model for one kind of text: its own opinion, pooled with that of the words."""

    def __init__(self, model: InferenceModel, odds: WordOdds) -> None:
        self.label, self.revision, self.runtime = model.label, model.revision, model.runtime
        self._model, self._odds = model, odds

    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """As the model does, and no more is read."""
        from jw_eval_nli import words_of

        return [
            pooled(said, self._odds.of(words_of(premise), words_of(hypothesis)), self._odds.weight)
            for (premise, hypothesis), said in zip(pairs, self._model.infer(pairs), strict=True)
        ]

"""How much words of one's own speak against following: a logistic regression on labelled pairs.

jw-eval pools it with what the weights say (`judges.inference.word_odds`), for kinds of text whose
labels come from people: sentences written for the training share as many words where one follows
from the other as where it does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jw_eval_nli import words_of
from torch.nn import functional

from nli_training.pairs import ENTAILMENT, Pair

STEPS = 100


def word_odds(pairs: Sequence[Pair]) -> dict[str, float]:
    """Log-odds of entailment: `intercept`, for `each` own word, and for their `share` of all.

    Found by maximum likelihood (L-BFGS) on pairs that are taken once each.
    """
    rows = dict.fromkeys((p.premise, p.hypothesis, p.label == ENTAILMENT) for p in pairs)
    features = torch.tensor([_features(premise, hypothesis) for premise, hypothesis, _ in rows])
    follows = torch.tensor([float(label) for *_, label in rows])
    if follows.unique().numel() < 2:
        raise SystemExit("word_odds: pairs that follow and pairs that don't are needed")
    weights = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        value = functional.binary_cross_entropy_with_logits(features @ weights, follows)
        value.backward()
        return value

    optimizer.step(loss)
    names = ("intercept", "each", "share")
    return {name: round(float(w), 3) for name, w in zip(names, weights.detach(), strict=True)}


def _features(premise: str, hypothesis: str) -> tuple[float, float, float]:
    known, words = set(words_of(premise)), words_of(hypothesis)
    own = sum(word not in known for word in words)
    return 1.0, float(own), own / max(1, len(words))

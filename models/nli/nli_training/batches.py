"""Pairs as arrays of token ids, in batches of like length."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from jw_eval_nli import segments_of
from tokenizers import Tokenizer
from torch import Tensor

from nli_training.pairs import Pair

BOS, PAD, EOS = 0, 1, 2
WINDOW = 512
TOKENS_PER_BATCH = 2048
POOL = 40


@dataclass(frozen=True)
class Batch:
    """ids, segments, attention: [batch, tokens]; labels: [batch]; rows: what it was made of."""

    rows: list[Encoded]
    ids: Tensor
    segments: Tensor
    attention: Tensor
    labels: Tensor


@dataclass(eq=False)
class Encoded:
    """One pair: `<s> premise </s> </s> hypothesis </s>`, and the segments of its tokens.

    `state` is what the layers that don't learn make of it, once that is known: [tokens, hidden];
    `soft` a teacher's probabilities: [3].
    """

    ids: list[int]
    segments: list[int]
    label: int
    lang: str
    state: Tensor | None = None
    soft: Tensor | None = None


def encode(tokenizer: Tokenizer, pairs: list[Pair]) -> list[Encoded]:
    """All pairs; raises ValueError for one that is longer than the window."""
    first = tokenizer.encode_batch([pair.premise for pair in pairs])
    then = tokenizer.encode_batch([pair.hypothesis for pair in pairs])
    made = []
    for pair, a, b in zip(pairs, first, then, strict=True):
        ids = [BOS, *a.ids, EOS, EOS, *b.ids, EOS]
        if len(ids) > WINDOW:
            raise ValueError(f"{len(ids)} tokens: {pair.premise[:60]}")
        segments = segments_of(pair.premise, pair.hypothesis, a.offsets, b.offsets)
        made.append(Encoded(ids, segments, pair.label, pair.lang))
    return made


def batch_of(rows: list[Encoded]) -> Batch:
    """Padded to the longest."""
    length = max(len(row.ids) for row in rows)
    ids = np.full((len(rows), length), PAD, dtype=np.int64)
    segments, attention = np.zeros_like(ids), np.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, : len(row.ids)], attention[i, : len(row.ids)] = row.ids, 1
        segments[i, : len(row.ids)] = row.segments
    labels = torch.tensor([row.label for row in rows])
    as_tensor = torch.from_numpy
    return Batch(rows, as_tensor(ids), as_tensor(segments), as_tensor(attention), labels)


def batches(rows: list[Encoded], seed: int, per_language: bool = False) -> Iterator[Batch]:
    """An epoch in an order that `seed` fixes: like lengths together, batches shuffled.

    `per_language` keeps the languages apart inside a batch; else they are mixed.
    """
    rng = random.Random(seed)
    order = rng.sample(rows, len(rows))
    made: list[list[Encoded]] = []
    step = POOL * TOKENS_PER_BATCH // 64
    for at in range(0, len(order), step):
        pool = order[at : at + step]
        key = (lambda r: (r.lang, len(r.ids))) if per_language else (lambda r: ("", len(r.ids)))
        made += _cut(sorted(pool, key=key))
    rng.shuffle(made)
    return map(batch_of, made)


def _cut(rows: list[Encoded]) -> list[list[Encoded]]:
    cut: list[list[Encoded]] = [[]]
    longest = 0
    for row in rows:
        longest = max(longest, len(row.ids))
        if longest * (len(cut[-1]) + 1) > TOKENS_PER_BATCH:
            cut.append([])
            longest = len(row.ids)
        cut[-1].append(row)
    return [group for group in cut if group]

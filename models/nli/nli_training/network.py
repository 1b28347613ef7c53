"""The cross-encoder: a BERT encoder over both sentences, pooled, three classes.

Architecture: Devlin et al. 2019 (post-norm encoder), Wang et al. 2024 (multilingual-e5-small).
Input: `<s> premise </s> </s> hypothesis </s>`. An embedding of the segments (jw_eval_nli.segments:
sentence, and whether the other one has the word), zero at first, is added at one of the upper
layers, so that those below can stay as they were.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from jw_eval_nli.segments import HYPOTHESIS_ONLY
from torch import Tensor, nn
from torch.nn import functional

from nli_training.e5 import Shape, Start

SEGMENTS = HYPOTHESIS_ONLY + 1
POOLED, COUNTS = 4, 2
CLASSES = ("entailment", "neutral", "contradiction")


class Layer(nn.Module):
    """Self-attention and a feed-forward net, each added to its input and normalised."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, dropout
        self.qkv = nn.Linear(shape.hidden, 3 * shape.hidden)
        self.out = nn.Linear(shape.hidden, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, shape.epsilon)
        self.inner = nn.Linear(shape.hidden, shape.inner)
        self.outer = nn.Linear(shape.inner, shape.hidden)
        self.last = nn.LayerNorm(shape.hidden, shape.epsilon)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x: [batch, tokens, hidden]; mask: [batch, 1, 1, tokens], 0 or minus infinity."""
        x = self.norm(x + self._dropped(self.out(self.attend(x, mask))))
        inner = functional.gelu(self.inner(x))
        return self.last(x + self._dropped(self.outer(inner)))

    def _dropped(self, x: Tensor) -> Tensor:
        """The same features of all tokens (Gal & Ghahramani 2016): a fifth of a step is saved."""
        if not self.training:
            return x
        return x * functional.dropout(x.new_ones(len(x), 1, x.shape[-1]), self.dropout)

    def attend(self, x: Tensor, mask: Tensor) -> Tensor:
        """Scaled dot-product attention (Vaswani et al. 2017), all heads at once."""
        batch, tokens, hidden = x.shape
        q, k, v = self.qkv(x).view(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(
            q @ k.transpose(-1, -2) / math.sqrt(hidden // self.heads) + mask, -1
        )
        return (weights.to(v.dtype) @ v).transpose(1, 2).reshape(batch, tokens, hidden)


class CrossEncoder(nn.Module):
    """Logits of entailment, neutral and contradiction for pairs of token ids."""

    def __init__(
        self, shape: Shape, vocabulary: int, enter: int = 0, first: int = 0, dropout: float = 0.1
    ) -> None:
        """`enter`: the layer that the segments come in at; `first`: the first one that learns."""
        super().__init__()
        if not 0 <= first <= enter < shape.layers:
            raise ValueError(f"segments would come in at layer {enter}, below {first} that learns")
        self.enter, self.first = enter, first
        self.words = nn.Embedding(vocabulary, shape.hidden)
        self.positions = nn.Embedding(shape.positions, shape.hidden)
        self.segments = nn.Embedding(SEGMENTS, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.dense = nn.Linear(POOLED * shape.hidden + COUNTS, shape.hidden)
        self.head = nn.Linear(shape.hidden, len(CLASSES))
        self.dropout = dropout

    def lower(self, ids: Tensor, attention: Tensor) -> Tensor:
        """What comes out of the layers that don't learn: [batch, tokens, hidden]."""
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.words(ids) + self.positions(places))
        for layer in self.layers[: self.first]:
            x = layer(x, _mask(attention, x))
        return x

    def upper(self, x: Tensor, segments: Tensor, attention: Tensor) -> Tensor:
        """Logits from what `lower` gave: [batch, 3]."""
        for place, layer in enumerate(self.layers[self.first :], self.first):
            x = x + self.segments(segments) if place == self.enter else x
            x = layer(x, _mask(attention, x))
        return self.classify(x, segments, attention)

    def pooled(self, x: Tensor, segments: Tensor, attention: Tensor) -> Tensor:
        """First token; means of premise, hypothesis, and of what only the hypothesis says; how
        many tokens that is, as a logarithm, and as a share. [batch, 4 x hidden + 2].
        """
        side = segments % 2
        new = (segments == HYPOTHESIS_ONLY) * attention
        parts = [(1 - side) * attention, side * attention, new]
        means = [_mean(x, part[..., None].to(x.dtype)) for part in parts]
        count = new.sum(1, keepdim=True).to(x.dtype)
        share = count / parts[1].sum(1, keepdim=True).clamp(min=1)
        return torch.cat([x[:, 0], *means, torch.log1p(count), share], dim=-1)

    def forward(self, ids: Tensor, segments: Tensor, attention: Tensor) -> Tensor:
        """segments: as jw_eval_nli gives them; attention: 1 token, 0 padding; [batch, tokens]."""
        return self.upper(self.lower(ids, attention), segments, attention)

    def classify(self, x: Tensor, segments: Tensor, attention: Tensor) -> Tensor:
        """Logits from the last layer."""
        drop = self.dropout if self.training else 0.0
        pooled = functional.dropout(self.pooled(x, segments, attention), drop)
        return self.head(functional.dropout(functional.gelu(self.dense(pooled)), drop))


def _mean(x: Tensor, part: Tensor) -> Tensor:
    return (x * part).sum(1) / part.sum(1).clamp(min=1)


def _mask(attention: Tensor, like: Tensor) -> Tensor:
    return (1.0 - attention[:, None, None, :].to(like.dtype)) * -1e4


def from_start(
    start: Start,
    kept: list[int],
    layers: int | None = None,
    trained: int = 12,
    marked: int | None = None,
) -> CrossEncoder:
    """The network with the start's weights, rows of `kept` pieces; the head is new.

    `layers` below the start's keeps that many, spread evenly from the first to the last; the top
    `trained` of them learn, and the top `marked` of them (all that learn) know the segments.
    """
    chosen = (
        np.linspace(0, start.shape.layers - 1, layers or start.shape.layers).round().astype(int)
    )
    shape = Shape(**{**start.shape.__dict__, "layers": len(chosen)})
    depth, marked = len(chosen), trained if marked is None else marked
    network = CrossEncoder(shape, len(kept), max(0, depth - marked), max(0, depth - trained))
    t = {name: torch.from_numpy(np.array(value)) for name, value in start.tensors.items()}
    state = network.state_dict()
    state["words.weight"] = t["emb.word"][kept]
    state["positions.weight"] = t["emb.pos"] + t["emb.type"][:1]
    state["segments.weight"] = torch.zeros_like(state["segments.weight"])
    state["norm.weight"], state["norm.bias"] = t["emb.ln.w"], t["emb.ln.b"]
    for to, source in enumerate(chosen):
        state.update({f"layers.{to}.{k}": v for k, v in _layer(t, f"l{source}").items()})
    network.load_state_dict(state)
    return network


def _layer(t: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    pairs = {"out": "ao", "norm": "aln", "inner": "fi", "outer": "fo", "last": "oln"}
    state = {f"{ours}.weight": t[f"{name}.{its}.w"] for ours, its in pairs.items()}
    state |= {f"{ours}.bias": t[f"{name}.{its}.b"] for ours, its in pairs.items()}
    state["qkv.weight"] = torch.cat([t[f"{name}.{part}.w"] for part in "qkv"])
    state["qkv.bias"] = torch.cat([t[f"{name}.{part}.b"] for part in "qkv"])
    return state

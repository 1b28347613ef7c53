"""The mean of weights that lie on one path: nearly always better than each (Wortsman et al. 2022,
"Model soups"), above all of a fine-tuned network and what it went on from ("Robust fine-tuning").
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def mean_of(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Tensor by tensor. Raises ValueError for networks of unlike shapes."""
    shapes = [{name: tensor.shape for name, tensor in state.items()} for state in states]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError("the networks are not of the same shape")
    return {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}

"""Start from an earlier export instead of from e5: its layers, out of the int8 file.

What it loses is the rounding (the same class for 99 pairs in 100). Segments and pooled parts that
the earlier network had not begin at zero.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from nli_training.network import CrossEncoder

ZERO = 128
"""Of int8 weights stored as unsigned bytes (onnxruntime's MatMulNBits)."""


def continue_from(model: Path, network: CrossEncoder) -> None:
    """Takes over the layers that learn, and as much of head and segments as there is."""
    found = _tensors(model)
    state = network.state_dict()
    for name in state:
        layer = re.match(r"layers\.(\d+)\.", name)
        learnt = layer is not None and int(layer[1]) >= network.first
        if learnt or name.startswith(("head", "dense.bias")):
            state[name] = found[name]
    had = found["dense.weight"].shape[1]
    state["dense.weight"] = torch.zeros_like(state["dense.weight"])
    state["dense.weight"][:, :had] = found["dense.weight"]
    sides = found["segments.weight"].shape[0]
    places = torch.arange(len(state["segments.weight"])) % sides if sides == 2 else slice(None)
    state["segments.weight"] = found["segments.weight"][places].clone()
    network.load_state_dict(state)


def _tensors(model: Path) -> dict[str, Tensor]:
    """By the network's own names; matrices made whole again."""
    graph = onnx.load(model).graph
    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = {name: torch.from_numpy(np.array(value)) for name, value in stored.items()}
    for node in graph.node:
        place = re.match(r"/(layers\.\d+)/(\w+)/MatMul", node.name)
        if node.op_type == "MatMulNBits" and place:
            blocks = stored[node.input[1]].astype(np.float32) - ZERO
            scales = stored[node.input[2]].reshape(*blocks.shape[:2], 1)
            inputs = next(one.i for one in node.attribute if one.name == "K")
            whole = (blocks * scales).reshape(len(blocks), -1)[:, :inputs]
            found[f"{place[1]}.{place[2]}.weight"] = torch.from_numpy(whole.copy())
    return found

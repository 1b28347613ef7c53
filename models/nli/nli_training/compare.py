"""How far the int8 file is from the network that it was made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer

from nli_training.batches import batch_of, encode
from nli_training.network import CrossEncoder
from nli_training.pairs import Pair


def compared(
    network: CrossEncoder, tokenizer: Tokenizer, pairs: list[Pair], folder: Path
) -> dict[str, float]:
    """Share of pairs with the same class, and how far their probabilities lie apart."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
    )
    network.eval()
    apart, same = [], 0
    for row in encode(tokenizer, pairs):
        batch = batch_of([row])
        with torch.no_grad():
            whole = network(batch.ids, batch.segments, batch.attention)[0].double().numpy()
        feed = {"ids": batch.ids, "segments": batch.segments, "attention": batch.attention}
        (small,) = session.run(None, {name: value.numpy() for name, value in feed.items()})
        p, q = _softmax(whole), _softmax(small[0].astype(np.float64))
        apart.append(float(np.abs(p - q).max()))
        same += int(p.argmax() == q.argmax())
    return {
        "pairs": len(pairs),
        "same class": round(same / len(pairs), 4),
        "median difference": round(float(np.median(apart)), 4),
        "95 % within": round(float(np.quantile(apart, 0.95)), 4),
    }


def _softmax(logits: np.ndarray) -> np.ndarray:
    exponents = np.exp(logits - logits.max())
    weights: np.ndarray = exponents / exponents.sum()
    return weights

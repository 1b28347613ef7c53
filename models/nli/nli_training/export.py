"""The trained network as an int8 ONNX file with its tokenizer: what is shipped.

Vectors of words and positions are int8 with a scale per row; matrices are int8 with a scale per
block of 128 weights (onnxruntime's MatMulNBits), and so are their inputs while it runs. With one
scale for all inputs of a matrix (dynamic quantisation) 6 pairs in 100 get another class; with
blocks 4 in 1,000, at 19 instead of 12 ms. Everything else stays float32.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from tokenizers import Tokenizer
from torch import Tensor, nn

from nli_training.network import CrossEncoder

INPUTS = ("ids", "segments", "attention")
OPSET = 17
BLOCK, INT8_INPUTS = 128, 4


class Int8Rows(nn.Module):
    """Vectors in a quarter of their bytes: a row is its integers times its scale."""

    def __init__(self, vectors: nn.Embedding) -> None:
        super().__init__()
        scale = vectors.weight.detach().abs().amax(1, keepdim=True) / 127
        self.scale = nn.Parameter(scale.clamp(min=1e-12), requires_grad=False)
        whole = (vectors.weight.detach() / self.scale).round().clamp(-127, 127)
        self.register_buffer("rows", whole.to(torch.int8))

    def forward(self, ids: Tensor) -> Tensor:
        """Vectors of ids: [batch, tokens, hidden]."""
        return self.rows[ids].to(torch.float32) * self.scale[ids]


def export(network: CrossEncoder, tokenizer: Tokenizer, folder: Path) -> dict[str, str]:
    """Writes model.onnx and tokenizer.json; gives the sha256 of each."""
    folder.mkdir(parents=True, exist_ok=True)
    network.eval()
    network.words, network.positions = Int8Rows(network.words), Int8Rows(network.positions)
    example = torch.tensor([[0, 5, 6, 2, 2, 7, 8, 2]])
    segments = torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1]])
    whole = folder / "float32.onnx"
    torch.onnx.export(
        network,
        (example, segments, torch.ones_like(example)),
        str(whole),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in INPUTS}
        | {"logits": {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )
    target = folder / "model.onnx"
    made = MatMulNBitsQuantizer(
        onnx.load(whole), bits=8, block_size=BLOCK, is_symmetric=True, accuracy_level=INT8_INPUTS
    )
    made.process()
    made.model.save_model_to_file(str(target), use_external_data_format=False)
    whole.unlink()
    onnx.checker.check_model(str(target))
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    return {file.name: sha256(file) for file in (target, folder / "tokenizer.json")}


def sha256(file: Path) -> str:
    """Of the file's bytes."""
    return hashlib.sha256(file.read_bytes()).hexdigest()

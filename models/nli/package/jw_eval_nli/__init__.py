"""The files of the contradiction model: weights, tokenizer, and the card that says what they are.

jw-eval's `judges.inference` runs them; `segments_of` gives what the weights read beside the tokens.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jw_eval_nli.segments import segments_of, words_of

__all__ = ["MODEL", "TOKENIZER", "card", "segments_of", "words_of"]

_FOLDER = Path(__file__).parent

MODEL = _FOLDER / "model.onnx"
"""Inputs ids, segments, attention: int64 [batch, tokens]; output logits: float32 [batch, 3]."""

TOKENIZER = _FOLDER / "tokenizer.json"
"""For the library `tokenizers`; it adds no special tokens."""


def card() -> dict[str, Any]:
    """Name, version, sha256 of the files, classes in order, data, thresholds and figures."""
    found: dict[str, Any] = json.loads((_FOLDER / "card.json").read_text(encoding="utf-8"))
    return found

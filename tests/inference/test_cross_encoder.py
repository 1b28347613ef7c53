"""A folder that holds no cross-encoder for entailment gives a plain error, never a verdict."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.judges.inference import cross_encoder
from jw_eval_store.judges.inference.calibrate import measure_inference
from jw_eval_store.judges.inference.cross_encoder import CrossEncoderModel
from jw_eval_store.judges.inference.reader import EntailmentReader
from jw_eval_store.judges.pairs import LabelledPair


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Stands for sentence-transformers, which is no part of the tests' environment."""
    stub = ModuleType("sentence_transformers")
    monkeypatch.setitem(sys.modules, "sentence_transformers", stub)
    monkeypatch.setattr(cross_encoder, "is_installed", lambda: True)
    return stub


def _unreadable(*_: Any, **__: Any) -> None:
    raise OSError("no file named config.json\nin the folder")


def _other_kind(*_: Any, **__: Any) -> Any:
    labels = {0: "positive", 1: "negative"}

    def tokenize(*_: Any, **__: Any) -> dict[str, list[int]]:
        return {"input_ids": [1, 2]}

    class Model(SimpleNamespace):
        def predict(self, *_: Any, **__: Any) -> list[list[float]]:
            return [[0.0, 1.0]]

    tokenizer = type("Tokenizer", (), {"model_max_length": 512, "__call__": tokenize})()
    return Model(tokenizer=tokenizer, config=SimpleNamespace(id2label=labels))


@pytest.mark.parametrize(
    ("made", "problem"), [(_unreadable, "can't be loaded"), (_other_kind, "no model for inference")]
)
def test_what_is_no_model_for_inference_decides_and_calibrates_nothing(
    library: ModuleType, tmp_path: Path, made: Any, problem: str
) -> None:
    library.CrossEncoder = made  # type: ignore[attr-defined]
    model = CrossEncoderModel(str(tmp_path))
    reading = EntailmentReader(model, pass_at=0.6).read("Uno.", "Dos y tres.", "es")
    assert (reading.verdict, reading.reason_code) == (None, "judge_unreachable")
    assert problem in reading.reasons[0]
    with pytest.raises(InfrastructureError, match=problem):
        measure_inference([LabelledPair("uno", "dos", "pass", "es")], model, None)

"""Every embedder gives unit vectors, or refuses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.judges.embedders.interface import cosines
from tests.embeddings.fakes import DIMENSION, WordsEmbedder


class Broken(WordsEmbedder):
    def __init__(self, rows: object) -> None:
        super().__init__()
        self._rows = np.array(rows, dtype=np.float32)

    def _raw(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._rows


def test_vectors_are_unit_float32() -> None:
    vectors = WordsEmbedder().embed(["uno dos", "tres"])
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


def test_no_texts_give_no_vectors() -> None:
    assert WordsEmbedder().embed([]).shape == (0, DIMENSION)


@pytest.mark.parametrize("text", ["", "   ", "\n\t\u00a0"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="empty text"):
        WordsEmbedder().embed(["uno", text])


@pytest.mark.parametrize("rows", [[[0.0, 0.0]], [[float("nan"), 1.0]], [[1.0], [1.0]], [1.0, 2.0]])
def test_unusable_vectors_are_refused(rows: object) -> None:
    with pytest.raises(InfrastructureError, match="no usable vectors"):
        Broken(rows).embed(["uno"])


def test_cosines_are_rounded_and_never_minus_zero() -> None:
    left = np.array([[1.0, 0.0]], dtype=np.float32)
    right = np.array([[0.99999, 0.00447], [-1e-7, 1.0]], dtype=np.float32)
    assert cosines(left, right).tolist() == [[1.0, 0.0]]
    assert str(cosines(left, right)[0, 1]) == "0.0"

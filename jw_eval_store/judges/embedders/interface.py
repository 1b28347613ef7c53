"""An embedder turns texts into unit vectors whose cosine tells how near their topics are.

Cosine can't tell a contradiction from a paraphrase, whichever the model: it may reject what is off
the topic, and by itself never pass what is on it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.matching import EmbedderIdentity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

DECIMALS = 4
"""Cosines are compared after rounding: their last bits differ between machines and servers."""


class Embedder(ABC):
    """A sentence embedder. Implementations give raw vectors; the base checks and normalises."""

    @property
    @abstractmethod
    def identity(self) -> EmbedderIdentity:
        """Backend, model, revision, dimension, window. May ask a server the first time."""

    @abstractmethod
    def _raw(self, texts: Sequence[str]) -> Vectors:
        """Vectors of non-empty texts, a row each. Nothing may be cut off a text."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, float32, shape (texts, dimension).

        Raises UsageError for a text without a visible character (models give a valid vector even
        for nothing), InfrastructureError where the model gives no usable vector.
        """
        import numpy as np

        if any(not text.strip() for text in texts):
            raise UsageError("an empty text has no meaning to compare", hint="give it a text")
        if not texts:
            return np.zeros((0, self.identity.dimension), dtype=np.float32)
        raw = np.asarray(self._raw(texts), dtype=np.float32)
        lengths = np.linalg.norm(raw, axis=1, keepdims=True) if raw.ndim == 2 else np.zeros(1)
        if raw.shape[0] != len(texts) or not np.all(np.isfinite(raw)) or not np.all(lengths > 0):
            raise InfrastructureError(
                f"{type(self).__name__} gave no usable vectors (shape {raw.shape}, "
                f"{len(texts)} texts)",
                hint="check the embedder with another model",
            )
        unit: Vectors = raw / lengths
        return unit

    def close(self) -> None:
        """Let go of connections."""


def cosines(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """Cosines of unit vectors, rounded to `DECIMALS`, shape (left, right).

    Summed in float64 by one fixed order of operations, so that threads of BLAS change nothing.
    """
    import numpy as np

    products = np.einsum("id,jd->ij", left.astype(np.float64), right.astype(np.float64))
    rounded: NDArray[np.float64] = np.round(products, DECIMALS) + 0.0
    return rounded

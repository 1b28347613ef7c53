"""What a model for natural language inference says of a premise and a hypothesis."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jw_eval_store.domain.errors import InfrastructureError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CLASSES = ("entailment", "neutral", "contradiction")


class Inference(NamedTuple):
    """Probabilities that a premise entails a hypothesis, contradicts it, or neither; sum 1."""

    entailment: float
    neutral: float
    contradiction: float


class InferenceModel(ABC):
    """A model for natural language inference.

    `revision` is a digest of its weights; `runtime` what runs them, where another version of it may
    give other decimals.
    """

    label: str
    revision: str
    runtime: str = ""

    @abstractmethod
    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """For each premise and hypothesis. Raises UsageError for a pair over the model's window.

        Raises InfrastructureError where the model does not work.
        """

    def of_kind(self, kind: str) -> InferenceModel:
        """As it reads texts of one kind; most models read all alike."""
        return self


def inference_of(logits: NDArray[np.float64], order: Sequence[int]) -> Inference:
    """Softmax of three logits, rounded to 4 decimals so that it is equal in every process.

    `order`: where entailment, neutral and contradiction stand among them. Raises
    InfrastructureError for logits that are no numbers: compared, they would look like a small one.
    """
    import numpy as np

    if not np.isfinite(logits).all():
        raise InfrastructureError(
            f"the cross-encoder gives no numbers: {logits.tolist()}",
            hint="its weights are damaged, or of a kind that this processor can't run",
        )
    exponents = np.exp(logits - logits.max())
    probabilities = exponents / exponents.sum()
    return Inference(*(round(float(probabilities[place]), 4) for place in order))

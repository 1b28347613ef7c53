"""From the setting `judge.nli` to a model."""

from __future__ import annotations

from jw_eval_store.judges.inference.cross_encoder import CrossEncoderModel
from jw_eval_store.judges.inference.embedded import EMBEDDED, EmbeddedModel
from jw_eval_store.judges.inference.interface import InferenceModel


def choose_inference(name: str) -> InferenceModel:
    """The embedded model, or the cross-encoder of this name on this machine.

    Raises InfrastructureError where a package is missing, UsageError for an unknown name.
    """
    return EmbeddedModel() if name == EMBEDDED else CrossEncoderModel(name)

"""From the setting `judge.nli` to a model."""

from __future__ import annotations

from jw_eval_store.judges.inference.cross_encoder import CrossEncoderModel
from jw_eval_store.judges.inference.embedded import EMBEDDED, EmbeddedModel
from jw_eval_store.judges.inference.interface import InferenceModel
from jw_eval_store.judges.inference.profiles import card_in_use


def choose_inference(name: str) -> InferenceModel:
    """The embedded model, or the cross-encoder of this name on this machine.

    Raises InfrastructureError where a package is missing or damaged, UsageError for an unknown
    name.
    """
    if name != EMBEDDED:
        return CrossEncoderModel(name)
    with card_in_use():
        return EmbeddedModel()

"""The thresholds that come with the embedded model, on its card."""

from __future__ import annotations

from jw_eval_store.domain.inference import InferenceProfile
from jw_eval_store.judges.inference.embedded import installed_card, label_of, revision_of
from jw_eval_store.judges.inference.sheet import AGGREGATION


def shipped_inference_profile() -> InferenceProfile | None:
    """The profile on the installed model's card, for exactly its files; none: not installed."""
    card = installed_card()
    if card is None:
        return None
    return InferenceProfile.model_validate(
        {
            "model": label_of(card),
            "revision": revision_of(card),
            "aggregation": card.get("aggregation", AGGREGATION),
            "entries": card.get("thresholds", []),
            "provenance": {"source": f"the card of {label_of(card)}"},
        }
    )

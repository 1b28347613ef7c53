"""The thresholds that come with the embedded model, on its card."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.domain.inference import InferenceProfile
from jw_eval_store.judges.inference.embedded import installed_card, label_of, revision_of
from jw_eval_store.judges.inference.sheet import AGGREGATION

_DAMAGE = (AttributeError, ImportError, KeyError, OSError, SyntaxError, TypeError, ValueError)


@contextmanager
def card_in_use() -> Iterator[None]:
    """Around whatever takes the card at its word. Raises InfrastructureError for a damaged one."""
    try:
        yield
    except _DAMAGE as error:
        problem = " ".join(str(error).split())[:200]
        raise InfrastructureError(
            f"the package or card of jw_eval_nli is damaged: {type(error).__name__}: {problem}",
            hint="pip install --force-reinstall --no-deps jw-eval-nli",
        ) from error


def shipped_inference_profile() -> InferenceProfile | None:
    """The profile on the installed model's card, for exactly its files; none: not installed.

    Raises InfrastructureError for a damaged card.
    """
    with card_in_use():
        return _on_the_card()


def _on_the_card() -> InferenceProfile | None:
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

"""Any cross-encoder for entailment that sentence-transformers can load from this machine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.judges.embedders.hub import local_model
from jw_eval_store.judges.embedders.sentence_transformers import is_installed
from jw_eval_store.judges.inference.interface import Inference, InferenceModel, inference_of


class CrossEncoderModel(InferenceModel):
    """A sequence classifier of three classes through sentence-transformers (extra `nli`).

    `name` is a folder or a hub name in the local cache; nothing is fetched.
    """

    def __init__(self, name: str) -> None:
        if not is_installed():
            raise InfrastructureError(
                "the cross-encoder needs sentence-transformers",
                hint="pip install 'jw-eval-store[nli]'",
            )
        self._local = local_model(name)
        self._one_at_a_time = Lock()
        self.label, self.revision = name, self._local.revision

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import CrossEncoder

        try:
            return CrossEncoder(str(self._local.folder), device="cpu", local_files_only=True)
        except Exception as error:
            problem = f"{self.label} can't be loaded: {' '.join(str(error).split())[:200]}"
            raise InfrastructureError(
                problem, hint="name a cross-encoder for entailment"
            ) from error

    @cached_property
    def _order(self) -> tuple[int, int, int]:
        """Where entailment, neutral and contradiction stand among the model's labels."""
        labels = {i: str(name).casefold() for i, name in self._model.config.id2label.items()}
        places = [
            next((i for i, name in labels.items() if name.startswith(start)), None)
            for start in ("entail", "neutral", "contradict")
        ]
        if len(labels) != 3 or None in places:
            raise InfrastructureError(
                f"{self.label} is no model for inference: its labels are {sorted(labels.values())}",
                hint="choose one with entailment, neutral and contradiction",
            )
        first, second, third = (int(place or 0) for place in places)
        return first, second, third

    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """A pair at a time, so that batches change nothing."""
        with self._one_at_a_time:
            return [self._infer(*pair) for pair in pairs]

    def _infer(self, premise: str, hypothesis: str) -> Inference:
        import numpy as np

        tokens = self._model.tokenizer(premise, hypothesis, truncation=False, verbose=False)
        window = self._model.tokenizer.model_max_length
        if len(tokens["input_ids"]) > window:
            raise UsageError(
                f"{len(tokens['input_ids'])} tokens are too many for {self.label} ({window})",
                hint="shorten the golden answer's sentences",
            )
        logits = self._model.predict([(premise, hypothesis)], apply_softmax=False)[0]
        return inference_of(np.asarray(logits, dtype=np.float64), self._order)

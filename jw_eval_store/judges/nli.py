"""Natural language inference: a cross-encoder reads two sentences together, so it sees negation.

It stands between guard and model. Its probabilities differ between kinds of text and languages, so
it decides only from thresholds that its user has calibrated; else it informs.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.evaluations import JudgeStep
from jw_eval_store.judges.embedders.hub import local_model
from jw_eval_store.judges.embedders.sentence_transformers import is_installed
from jw_eval_store.judges.judgement import Decision, JudgeVerdict
from jw_eval_store.judges.sentences import split_sentences


class Inference(NamedTuple):
    """Probabilities that a premise entails a hypothesis, contradicts it, or neither; sum 1."""

    entailment: float
    neutral: float
    contradiction: float


class InferenceModel(ABC):
    """A model for natural language inference."""

    label: str
    revision: str

    @abstractmethod
    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """For each premise and hypothesis. Raises UsageError for a pair over the model's window."""


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

        return CrossEncoder(str(self._local.folder), device="cpu", local_files_only=True)

    @cached_property
    def _order(self) -> tuple[int, int, int]:
        """Where entailment, neutral and contradiction stand among the model's labels."""
        labels = {i: str(name).casefold() for i, name in self._model.config.id2label.items()}
        places = [
            next((i for i, name in labels.items() if name.startswith(start)), None)
            for start in ("entail", "neutral", "contradict")
        ]
        if len(labels) != 3 or None in places:
            raise UsageError(
                f"{self.label} is no model for inference: its labels are {sorted(labels.values())}",
                hint="choose one with entailment, neutral and contradiction",
            )
        first, second, third = (int(place or 0) for place in places)
        return first, second, third

    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """Softmax of the model's logits, a pair at a time so that batches change nothing."""
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
        logits = np.asarray(
            self._model.predict([(premise, hypothesis)], apply_softmax=False)[0], dtype=np.float64
        )
        exponents = np.exp(logits - logits.max())
        probabilities = exponents / exponents.sum()
        return Inference(*(round(float(probabilities[i]), 4) for i in self._order))


class EntailmentReader:
    """Reads a whole answer: does it say every golden sentence, and contradict none?"""

    def __init__(
        self, model: InferenceModel, pass_at: float | None = None, fail_at: float | None = None
    ) -> None:
        """`pass_at` and `fail_at`: probabilities from which on it decides; none: never."""
        self._model, self._pass_at, self._fail_at = model, pass_at, fail_at

    @property
    def identity(self) -> dict[str, Any]:
        """All that its verdicts depend on beside the texts."""
        return {
            "model": self._model.label,
            "revision": self._model.revision,
            "pass_at": self._pass_at,
            "fail_at": self._fail_at,
        }

    def read(self, golden: str, candidate: str) -> JudgeVerdict:
        """Every candidate sentence is held against every golden one; nothing is left out."""
        started = time.perf_counter()
        wanted, said = split_sentences(golden), split_sentences(candidate)
        try:
            inferences = self._model.infer([(s, w) for w in wanted for s in said])
        except UsageError as fault:
            return JudgeVerdict(None, reasons=(str(fault),), reason_code="judge_cut")
        rows = [inferences[i * len(said) : (i + 1) * len(said)] for i in range(len(wanted))]
        score = min(max(one.entailment for one in row) for row in rows)
        worst = max(range(len(inferences)), key=lambda i: inferences[i].contradiction)
        contradiction = inferences[worst].contradiction
        verdict = self._decide(score, contradiction)
        step = JudgeStep(
            node="entailment",
            kind="nli",
            model=self._model.label,
            model_digest=self._model.revision,
            answer=verdict or "undecided",
            score=score,
            duration_ms=round((time.perf_counter() - started) * 1000),
            details={
                "contradiction": contradiction,
                "golden": wanted[worst // len(said)],
                "candidate": said[worst % len(said)],
            },
        )
        reason = f"cross-encoder: entailment {score:.2f}, contradiction {contradiction:.2f}"
        return JudgeVerdict(verdict, score=score, reasons=(reason,), steps=(step,))

    def _decide(self, score: float, contradiction: float) -> Decision | None:
        """Contradiction comes first: what is said right does not mend what is said wrong."""
        if self._fail_at is not None and contradiction >= self._fail_at:
            return "fail"
        safe = self._fail_at is not None and contradiction < 0.5
        return "pass" if self._pass_at is not None and score >= self._pass_at and safe else None

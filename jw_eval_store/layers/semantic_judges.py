"""The last stages of L3: a cross-encoder where there is one, then the model; a pass needs both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jw_eval_store.domain.evaluations import JudgeStep, ReasonCode, Verdict
from jw_eval_store.layers.semantic_tools import EntailmentOpinion, Opinion


@dataclass(frozen=True)
class Decided:
    """An opinion put together from those of several judges."""

    verdict: Literal["pass", "fail"] | None
    score: float | None = None
    reasons: tuple[str, ...] = ()
    reason_code: ReasonCode | None = None
    steps: tuple[JudgeStep, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


def decided_alone(
    by_words: Verdict | None, entailment: EntailmentOpinion | None, *, clean: bool
) -> Verdict | None:
    """What the stages before the model decide; none: the model is asked.

    `by_words`: what the topic and near-literal agreement say. `clean`: nothing was flagged, and it
    was looked for.
    """
    if entailment is None or by_words == "fail":
        return by_words
    if by_words == "pass":
        return None if entailment.objects else "pass"
    return None if entailment.verdict == "pass" and not clean else entailment.verdict


def weighed(entailment: EntailmentOpinion | None, model: Opinion | None) -> Opinion:
    """The model's verdict; a pass only if the cross-encoder doesn't speak against it.

    Two different models err in different places. What the model fails stays failed.
    """
    if model is None:
        return _nobody(entailment)
    if entailment is None:
        return model
    reasons, code, verdict = (*entailment.reasons, *model.reasons), model.reason_code, model.verdict
    if verdict == "pass" and not entailment.leans_pass:
        verdict, code = None, entailment.reason_code or "judges_disagree"
        reasons += ("the model passes it, and the cross-encoder does not",)
    return Decided(verdict, model.score, reasons, code, model.steps, model.details)


def waits_for(model: Opinion | None) -> str:
    """Why there is no judge, where an answer lacks nothing else; empty where none would help."""
    if model is None:
        return "none is set"
    if model.reason_code == "judge_unreachable":
        return next(filter(None, model.reasons), "")
    is_unsound = "problem" in model.details.get("judge", {})
    return "none is set" if model.reason_code == "no_judge" and not is_unsound else ""


def _nobody(entailment: Opinion | None) -> Decided:
    """Undecided, with the next step."""
    return Decided(
        None,
        reasons=(
            *(entailment.reasons if entailment else ()),
            "undecided: no judge; set JW_EVAL_LLM and see: jw-eval judge check",
        ),
        reason_code="no_judge",
    )

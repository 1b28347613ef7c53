"""The last stage of L3: a cross-encoder where there is one, then the model; both must agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.evaluations import JudgeStep, ReasonCode
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.layers.semantic_tools import Opinion, SemanticTools


@dataclass(frozen=True)
class Decided:
    """An opinion put together from those of several judges."""

    verdict: Literal["pass", "fail"] | None
    score: float | None = None
    reasons: tuple[str, ...] = ()
    reason_code: ReasonCode | None = None
    steps: tuple[JudgeStep, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


def ask_judges(
    case: SemanticCase,
    output: AgentOutput,
    tools: SemanticTools,
    similarity: Callable[[], float] | None,
) -> Opinion:
    """The judges' verdict. Two different models err in different places, so they must agree."""
    entailment = None
    if tools.entailment is not None:
        entailment = tools.entailment.read(case.expected.golden_answer, output.answer())
    model = tools.judge.judge(case, output, similarity) if tools.judge is not None else None
    if entailment is None:
        return model or _nobody()
    if model is None:
        return entailment if entailment.verdict else _nobody(entailment)
    return _agreed(entailment, model)


def _nobody(entailment: Opinion | None = None) -> Decided:
    """Undecided, with the next step."""
    return Decided(
        None,
        reasons=(
            *(entailment.reasons if entailment else ()),
            "undecided: no judge; set JW_EVAL_LLM and see: jw-eval judge check",
        ),
        reason_code="no_judge",
        steps=entailment.steps if entailment else (),
    )


def _agreed(entailment: Opinion, model: Opinion) -> Decided:
    """The model's verdict, unless the cross-encoder has the opposite one."""
    steps = (*entailment.steps, *model.steps)
    reasons = (*entailment.reasons, *model.reasons)
    details = {**entailment.details, **model.details}
    if entailment.verdict and model.verdict and entailment.verdict != model.verdict:
        reasons += (f"the cross-encoder says {entailment.verdict}, the model {model.verdict}",)
        return Decided(None, model.score, reasons, "judges_disagree", steps, details)
    return Decided(model.verdict, model.score, reasons, model.reason_code, steps, details)

"""Verdicts: one on one case at one layer, with the reason code of what could not be decided."""

from __future__ import annotations

from pydantic import Field, JsonValue

from jw_eval_store.domain import vocabulary
from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.values import Value

Verdict = vocabulary.Verdict
VERDICTS = vocabulary.VERDICTS
ReasonCode = vocabulary.ReasonCode
"""Why a case could not be decided. An error is neither a pass nor a fail."""


class JudgeStep(Value):
    """One small question of a judgement, answered by a model or by a rule.

    `score` is 0..1; `probability` is that of the answer taken; `margin` says how far from the
    border it was (0 on it, 1 certain). Times in milliseconds, token counts as the server gave them.
    """

    node: str
    kind: str
    question: str = ""
    prompt: str = ""
    prompt_hash: str = ""
    reply: str = ""
    answer: str | None = None
    score: float | None = None
    probability: float | None = None
    margin: float | None = None
    logprobs: list[dict[str, JsonValue]] | None = None
    model: str = ""
    model_digest: str = ""
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    duration_ms: int = 0
    cached: bool = False
    error: ReasonCode | None = None
    details: dict[str, JsonValue] = Field(default_factory=dict)


class LayerResult(Value):
    """What a layer says of a case (the specification's model, and what explains it).

    `score` is 0..1 for L3, none for L1 and L2. `details` hold what a report may show per case:
    the matched passages, origins of evidence, sentence matches.
    """

    case_id: str
    layer: Layer
    verdict: Verdict
    score: float | None = None
    reasons: tuple[str, ...] = ()
    duration_ms: int = 0
    reason_code: ReasonCode | None = None
    details: dict[str, JsonValue] = Field(default_factory=dict)
    steps: tuple[JudgeStep, ...] = ()

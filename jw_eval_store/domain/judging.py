"""How an L3 case wants to be judged: thresholds as specified, strategy, graph."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from jw_eval_store.domain.values import NonBlank, TextList, Value

SPECIFIED_EMBEDDER = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
"""The embedder that the specification's thresholds 0.78 / 0.55 were chosen for."""

Strategy = Literal["verdict", "claims", "g_eval", "graph"]


class JudgeSpec(Value):
    """`judge:` of an L3 case.

    The thresholds are cosines of `embedder`; under any other embedder its own profile holds.
    `pass_at` (0..1) is required for claims, g_eval and graph. `graph` names a ready-made graph or
    a file beside the case. `criteria` or `evaluation_steps` (which win), `score_range` and `strict`
    (only the highest score passes) belong to g_eval.
    """

    primary: Literal["embeddings", "llm"] = "embeddings"
    embedder: NonBlank = SPECIFIED_EMBEDDER
    threshold_pass: float = Field(0.78, ge=-1, le=1)
    threshold_review_min: float = Field(0.55, ge=-1, le=1)
    threshold_review_max: float | None = Field(None, ge=-1, le=1)
    strategy: Strategy = "verdict"
    graph: NonBlank | None = None
    criteria: NonBlank | None = None
    evaluation_steps: TextList = ()
    score_range: tuple[int, int] = (0, 10)
    strict: bool = False
    pass_at: float | None = Field(None, gt=0, le=1)

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if self.threshold_review_min > self.threshold_pass:
            raise ValueError("threshold_review_min is above threshold_pass")
        if self.strategy != "verdict" and self.pass_at is None:
            raise ValueError(f"strategy {self.strategy} needs pass_at (0..1)")
        if (self.strategy == "graph") != (self.graph is not None):
            raise ValueError("strategy graph needs graph, and no other strategy takes one")
        if self.strategy == "g_eval" and not (self.criteria or self.evaluation_steps):
            raise ValueError("strategy g_eval needs criteria or evaluation_steps")
        if self.score_range[0] >= self.score_range[1]:
            raise ValueError("score_range is the lowest and the highest score, in this order")
        own = ("criteria", "evaluation_steps", "score_range", "strict")
        foreign = [name for name in own if name in self.model_fields_set]
        if self.strategy != "g_eval" and foreign:
            raise ValueError(f"{foreign[0]} belongs to strategy g_eval")
        return self

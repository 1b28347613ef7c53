"""What comparing two answers yields: matched sentences, differences, thresholds of an embedder."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.domain.values import Value

FlagKind = Literal[
    "polarity", "antonym", "number", "reference", "name", "qualifier", "counter_answer"
]


class SentenceMatch(Value):
    """A golden sentence and its nearest part of the candidate: one sentence, or two in a row.

    `positions` are the sentences' places in the candidate, from 0; `cosine` is rounded to 4
    decimals, so that it is equal on every machine.
    """

    golden: str
    candidate: str
    positions: tuple[int, ...]
    cosine: float


class TopicMatch(Value):
    """Whether a candidate is on the golden answer's topic; it says nothing of agreement.

    `score` is the mean over golden sentences of their best match, `cosine` that of the whole texts.
    `sentences` are all of the candidate's, in order: none is ever dropped.
    """

    score: float
    cosine: float
    matches: tuple[SentenceMatch, ...]
    sentences: tuple[str, ...]


class Flag(Value):
    """A difference that keeps an answer from passing without a judge. It never fails an answer.

    A `firm` one does so even where a model for inference sees no contradiction: a name or number
    that the golden answer lacks, an opposite. What is left out, or how often is negated, differs in
    every second paraphrase, and is that model's to read.
    """

    kind: FlagKind
    golden: str
    candidate: str
    difference: str
    firm: bool = True


class LiteralAgreement(Value):
    """Whether the candidate says the golden answer's own words, and if not, why not."""

    agrees: bool
    reason: str


class EmbedderIdentity(Value):
    """What vectors depend on. Vectors of two identities are never compared.

    `revision` is a version or digest of the weights; `window` the tokens read at once, none: no
    limit.
    """

    backend: str
    model: str
    revision: str
    dimension: int = Field(ge=1)
    window: int | None = None

    @property
    def identity_hash(self) -> str:
        """Content address of all of it."""
        return json_hash(self.model_dump())

    @property
    def label(self) -> str:
        """For people: backend, model and revision."""
        return f"{self.backend}/{self.model} ({self.revision})"

    def answers_to(self, name: str) -> bool:
        """Whether a case's `judge.embedder` means this one: `model`, or `backend/model`."""
        return name in (self.model, f"{self.backend}/{self.model}")


class ThresholdProfile(Value):
    """Cosines measured to mean something for one embedder (see `judges.calibrate`).

    Below `reject` an answer is off the topic; from `pass_at` on it may pass without a judge, if
    everything else agrees. `margin` is how much nearer than to a counter answer it must be to the
    golden one. `intervals` are 95 % bootstrap intervals, `provenance` says from what.
    """

    embedder: EmbedderIdentity
    reject: float = Field(ge=-1, le=1)
    pass_at: float = Field(ge=-1, le=1)
    margin: float = Field(0.05, ge=0, le=1)
    intervals: dict[str, tuple[float, float]] = Field(default_factory=dict)
    provenance: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_in_order(self) -> Self:
        if self.reject > self.pass_at:
            raise ValueError("reject is above pass_at")
        return self

    @property
    def profile_hash(self) -> str:
        """Content address of the whole profile."""
        return json_hash(self.model_dump(mode="json"))

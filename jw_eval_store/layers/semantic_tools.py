"""What the semantic layer is given: it knows no embedder, no word list and no model by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.evaluations import JudgeStep, ReasonCode
from jw_eval_store.domain.matching import (
    EmbedderIdentity,
    Flag,
    LiteralAgreement,
    ThresholdProfile,
    TopicMatch,
)
from jw_eval_store.domain.outputs import AgentOutput


class TopicComparer(Protocol):
    """Compares texts by topic. May raise InfrastructureError where its model is out of reach."""

    @property
    def identity(self) -> EmbedderIdentity:
        """The embedder that its cosines belong to."""

    def compare(self, golden: str, candidate: str) -> TopicMatch:
        """Each golden sentence with its nearest part of the candidate; both hold text."""


class DifferenceGuard(Protocol):
    """Finds differences in meaning that cosine can't see."""

    def flags(self, topic: TopicMatch, language: str) -> tuple[Flag, ...]:
        """Differences between golden sentences and their matches."""

    def agreement(
        self, topic: TopicMatch, flags: tuple[Flag, ...], language: str
    ) -> LiteralAgreement:
        """Whether the candidate says the golden answer in its own words."""


class Opinion(Protocol):
    """What a judge says. No verdict: `reason_code` says why not. `score` is 0..1."""

    @property
    def verdict(self) -> Literal["pass", "fail"] | None:
        """Decided, or none."""

    @property
    def score(self) -> float | None:
        """What it was decided by, 0..1."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """In words."""

    @property
    def reason_code(self) -> ReasonCode | None:
        """Why there is no verdict."""

    @property
    def steps(self) -> tuple[JudgeStep, ...]:
        """The stack trace."""

    @property
    def details(self) -> Mapping[str, Any]:
        """Arithmetic and the like, as JSON."""


class SemanticJudge(Protocol):
    """Decides what words and cosines can't: a model, asked as the case's `judge` says."""

    def judge(
        self, case: SemanticCase, output: AgentOutput, similarity: Callable[[], float] | None
    ) -> Opinion:
        """The opinion on one output. Never raises for what a model does.

        `similarity` gives the topic score to rules that ask for it; none: there is no embedder.
        """


class EntailmentOpinion(Opinion, Protocol):
    """What a cross-encoder says. `verdict` is what it may decide alone, where it may."""

    @property
    def leans_pass(self) -> bool:
        """Whether it lets a judge's pass stand."""

    @property
    def objects(self) -> bool:
        """Whether it sees a contradiction even in an answer in the golden answer's own words."""


class EntailmentJudge(Protocol):
    """A cross-encoder that reads golden answer and candidate together."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Model, revision and thresholds, as JSON: part of fingerprints."""

    def read(self, golden: str, candidate: str, language: str) -> EntailmentOpinion:
        """Its opinion; no verdict where it is not calibrated or between its thresholds."""


@dataclass(frozen=True)
class SemanticTools:
    """All of it. Whatever is missing makes cases undecided, never passed."""

    guard: DifferenceGuard
    comparer: TopicComparer | None = None
    profile: ThresholdProfile | None = None
    entailment: EntailmentJudge | None = None
    judge: SemanticJudge | None = None

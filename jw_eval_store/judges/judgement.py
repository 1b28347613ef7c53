"""What is judged, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jw_eval_store.domain.evaluations import JudgeStep, ReasonCode

Decision = Literal["pass", "fail"]


@dataclass(frozen=True)
class Judgement:
    """One candidate answer with all that it is measured by.

    `similarity` gives the cosine of candidate and golden answer when a rule asks for it; `findings`
    is how many findings the answer had; `cited` are the URLs it cited.
    """

    case_id: str
    language: str
    golden_answer: str
    candidate: str
    question: str = ""
    keywords_any: tuple[str, ...] = ()
    keywords_none: tuple[str, ...] = ()
    expected_citations: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    findings: int = 0
    similarity: Callable[[], float] | None = None


@dataclass(frozen=True)
class Outcome:
    """What a strategy decided. `score` (0..1) is what it decided by; `soft_score` only informs."""

    verdict: Decision
    score: float
    reasons: tuple[str, ...] = ()
    soft_score: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class JudgeVerdict:
    """A judge's verdict with its stack trace. No verdict: `reason_code` says why not."""

    verdict: Decision | None
    score: float | None = None
    soft_score: float | None = None
    reasons: tuple[str, ...] = ()
    reason_code: ReasonCode | None = None
    steps: tuple[JudgeStep, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

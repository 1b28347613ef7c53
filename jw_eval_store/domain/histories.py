"""What people read of the past: runs, trends, and one case's verdict taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jw_eval_store.domain.vocabulary import Layer, Verdict

if TYPE_CHECKING:
    from jw_eval_store.domain.evaluations import JudgeStep


@dataclass(frozen=True)
class RunInfo:
    """One line of `runs list`. Counts are of results, over all layers.

    `binding` is false where nothing judged could have kept the run from passing.
    """

    run: str
    started_at: str
    finished_at: str | None
    status: str
    gate: str | None
    exit_code: int | None
    passed: int
    failed: int
    errors: int
    skipped: int
    reused: int
    layers: tuple[str, ...]
    git_revision: str | None
    git_dirty: bool | None
    bundled: bool
    binding: bool = True


@dataclass(frozen=True)
class TrendPoint:
    """One point of a trend: counts of a run (or of a day's or revision's last run).

    `marks` name what was measured with, or on, otherwise than at the last point before of the same
    `layers`.
    """

    at: str
    run: str
    git_revision: str | None
    passed: int
    failed: int
    errors: int
    skipped: int
    mean_score: float | None
    marks: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """All results."""
        return self.passed + self.failed + self.errors + self.skipped

    @property
    def pass_rate(self) -> float | None:
        """Passes among all results, 0..1; errors count against it. None without results."""
        return self.passed / self.total if self.total else None


@dataclass(frozen=True)
class EarlierVerdict:
    """One earlier verdict on a case, and what differed from the one before."""

    run: str
    started_at: str
    verdict: str
    score: float | None
    cause: str


@dataclass(frozen=True)
class ExplainedResult:
    """The verdict that is taken apart, as `CaseReport` has it."""

    case_id: str
    layer: Layer
    verdict: Verdict
    score: float | None
    reasons: tuple[str, ...]
    duration_ms: int
    reason_code: str | None
    details: Mapping[str, Any]
    agent: str
    language: str
    topic: str | None
    reused: bool = False
    why: str = ""
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Explanation:
    """One verdict taken apart: what went in, what was asked, what came out, and what was before.

    `output` is what the agent returned, as JSON (`AgentOutput`); `golden_answer` that of an L3
    case.
    """

    run: str
    result: ExplainedResult
    source: str
    input: Mapping[str, Any]
    output: Mapping[str, Any] | None
    golden_answer: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    agent_origin: str = ""
    embedder: str = ""
    judge: str = ""
    steps: tuple[JudgeStep, ...] = ()
    earlier: tuple[EarlierVerdict, ...] = ()

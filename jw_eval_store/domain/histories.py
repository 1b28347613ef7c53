"""What people read of the past: runs, trends, and one case's verdict taken apart."""

from __future__ import annotations

from pydantic import Field, JsonValue

from jw_eval_store.domain.evaluations import JudgeStep
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.domain.reports import CaseReport
from jw_eval_store.domain.values import Value


class RunInfo(Value):
    """One line of `runs list`. Counts are of results, over all layers."""

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


class TrendPoint(Value):
    """One point of a trend: counts of a run (or of a day's or revision's last run)."""

    at: str
    run: str
    git_revision: str | None
    passed: int
    failed: int
    errors: int
    skipped: int
    mean_score: float | None
    marks: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """All results."""
        return self.passed + self.failed + self.errors + self.skipped

    @property
    def pass_rate(self) -> float | None:
        """Passes among all results, 0..1; errors count against it. None without results."""
        return self.passed / self.total if self.total else None


class EarlierVerdict(Value):
    """One earlier verdict on a case, and what differed from the one before."""

    run: str
    started_at: str
    verdict: str
    score: float | None
    cause: str


class Explanation(Value):
    """One verdict taken apart: what went in, what was asked, what came out, and what was before."""

    run: str
    result: CaseReport
    source: str
    input: dict[str, JsonValue]
    output: AgentOutput | None
    inputs: dict[str, str] = Field(default_factory=dict)
    agent_origin: str = ""
    embedder: str = ""
    judge: str = ""
    steps: tuple[JudgeStep, ...] = ()
    earlier: tuple[EarlierVerdict, ...] = ()

"""What a run reports: the specification's SuiteReport, the gate's outcome, and a comparison."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import Field, JsonValue

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.comparisons import CaseDifference, Change, Comparison
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.histories import TrendPoint
from jw_eval_store.domain.values import Value

__all__ = [
    "SCHEMA_VERSION",
    "AcceptedNow",
    "AgentCounts",
    "CaseDifference",
    "CaseReport",
    "Change",
    "Comparison",
    "GateOutcome",
    "GateVerdict",
    "InvalidFile",
    "LayerOutcome",
    "SuiteReport",
]

SCHEMA_VERSION = 1
"""Version of the JSON report; grows when a key is renamed or removed."""

GateVerdict = Literal["passed", "failed", "undecided", "invalid", "empty", "interrupted"]


class LayerOutcome(Value):
    """One layer against its bar."""

    layer: Layer
    passed: int
    failed: int
    errors: int
    skipped: int
    total: int
    min_pass: float
    blocking: bool
    ok: bool
    message: str


class AcceptedNow(Value):
    """A failure that the policy accepts until a date, and that rule no-regression overlooked."""

    case_id: str
    reason: str
    until: date


class GateOutcome(Value):
    """The one answer that printed verdict, JSON field and exit code come from.

    `binding` says whether anything could have kept the run from passing: a layer that blocks, a
    share that must be decided, or a baseline. Else `passed` only says that nothing was asked.
    """

    verdict: GateVerdict
    exit_code: int
    layers: tuple[LayerOutcome, ...] = ()
    reasons: tuple[str, ...] = ()
    accepted: tuple[AcceptedNow, ...] = ()
    binding: bool = True

    @property
    def reported_only(self) -> bool:
        """Whether it passed since nothing was asked of it."""
        return self.verdict == "passed" and not self.binding


class CaseReport(LayerResult):
    """A result as reported: with what a reader needs to place it.

    `inputs` are the content addresses of all that went into it (case, agent, evidence, layer,
    recording, embedder, judge, settings): two results that differ can say why.
    """

    agent: str
    language: str
    topic: str | None = None
    reused: bool = False
    why: str = ""
    path: str | None = None
    line: int | None = None
    inputs: dict[str, str] = Field(default_factory=dict)


class InvalidFile(Value):
    """A file that was refused. It never holds up the others."""

    path: str
    line: int | None = None
    message: str
    hint: str | None = None


class AgentCounts(Value):
    """Results of a layer and an agent, counted by verdict; `reused` is of all of them."""

    layer: Layer
    agent: str
    languages: tuple[str, ...]
    passed: int
    failed: int
    errors: int
    skipped: int
    reused: int

    @property
    def total(self) -> int:
        """How many cases."""
        return self.passed + self.failed + self.errors + self.skipped


class SuiteReport(Value):
    """The specification's report, plus what makes it traceable.

    `trend` is this run after the ones before it with the same selection, oldest first.
    `summary` is per layer: counts by verdict, `total`, `reused`, and for L2 passes per origin.
    `by_agent` counts all cases, those too that `results` leaves out.
    """

    schema_version: int = SCHEMA_VERSION
    run: str
    started_at: datetime
    finished_at: datetime
    layers_run: tuple[str, ...]
    results: tuple[CaseReport, ...]
    summary: dict[str, dict[str, JsonValue]]
    by_agent: tuple[AgentCounts, ...] = ()
    diff_vs_baseline: Comparison | None = None
    gate: GateOutcome
    invalid_files: tuple[InvalidFile, ...] = ()
    notices: tuple[str, ...] = ()
    agents: dict[str, str] = Field(default_factory=dict)
    embedder: str | None = None
    judge: str | None = None
    git_revision: str | None = None
    tool_version: str = ""
    bundled: bool = False
    trend: tuple[TrendPoint, ...] = ()

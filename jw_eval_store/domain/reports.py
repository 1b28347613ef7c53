"""What a run reports: the specification's SuiteReport, the gate's outcome, and a comparison."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, JsonValue

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.values import Value

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


class GateOutcome(Value):
    """The one answer that printed verdict, JSON field and exit code come from."""

    verdict: GateVerdict
    exit_code: int
    layers: tuple[LayerOutcome, ...] = ()
    reasons: tuple[str, ...] = ()


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


Change = Literal["regression", "fix", "new", "removed", "undecided", "unstable", "same", "changed"]


class CaseDifference(Value):
    """One case in two runs, with the cause of the difference and the inputs that differ."""

    case_id: str
    agent: str
    layer: Layer
    change: Change
    before: str | None
    after: str | None
    cause: str
    inputs: tuple[str, ...] = ()


class Comparison(Value):
    """Two runs side by side. `comparable` is false where case set or judge changed."""

    baseline: str
    candidate: str
    differences: tuple[CaseDifference, ...] = ()
    same: int = 0
    comparable: bool = True
    notes: tuple[str, ...] = ()
    statistics: dict[str, JsonValue] = Field(default_factory=dict)

    def of(self, change: Change) -> tuple[CaseDifference, ...]:
        """The differences of one kind."""
        return tuple(d for d in self.differences if d.change == change)


class SuiteReport(Value):
    """The specification's report, plus what makes it traceable.

    `summary` is per layer: counts by verdict, `total`, `reused`, and for L2 passes per origin.
    """

    schema_version: int = SCHEMA_VERSION
    run: str
    started_at: datetime
    finished_at: datetime
    layers_run: tuple[str, ...]
    results: tuple[CaseReport, ...]
    summary: dict[str, dict[str, JsonValue]]
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

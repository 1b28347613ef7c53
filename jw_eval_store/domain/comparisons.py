"""Two runs side by side: what differs, why, and whether the difference is more than chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from jw_eval_store.domain.vocabulary import Layer, Verdict

Change = Literal["regression", "fix", "new", "removed", "undecided", "unstable", "same", "changed"]
"""`unstable`: passed and failed, or the other way round, with the very same inputs."""


class Compared(Protocol):
    """A result as comparisons see it; `inputs` are content addresses of all that went into it."""

    @property
    def case_id(self) -> str:
        """Id of the case."""

    @property
    def agent(self) -> str:
        """Name of the agent."""

    @property
    def layer(self) -> Layer:
        """l1, l2 or l3."""

    @property
    def language(self) -> str:
        """BCP 47 tag."""

    @property
    def topic(self) -> str | None:
        """metadata.topic."""

    @property
    def verdict(self) -> Verdict:
        """What was never judged is an error."""

    @property
    def score(self) -> float | None:
        """0..1 at L3."""

    @property
    def inputs(self) -> Mapping[str, str]:
        """Natural keys by name: case, agent, evidence, layer, recording, embedder, judge..."""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A result read back from the store for a comparison."""

    case_id: str
    agent: str
    layer: Layer
    language: str
    topic: str | None
    verdict: Verdict
    score: float | None
    inputs: Mapping[str, str]


@dataclass(frozen=True)
class CaseDifference:
    """One case in two runs, with the cause of the difference and the inputs that differ.

    `details` say what differs in them: the file, the page with its passage, the case's field, the
    judge's digest; a line each.
    """

    case_id: str
    agent: str
    layer: Layer
    change: Change
    before: str | None
    after: str | None
    cause: str
    inputs: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side. `comparable` is false where case set or judge changed.

    `statistics` are JSON by name; `conclusion` says in words what they allow to say.
    """

    baseline: str
    candidate: str
    differences: tuple[CaseDifference, ...] = ()
    same: int = 0
    comparable: bool = True
    notes: tuple[str, ...] = ()
    statistics: dict[str, Any] = field(default_factory=dict)
    conclusion: str = ""

    @property
    def shared(self) -> int:
        """How many cases have a verdict on both sides: none means that nothing was compared."""
        sides = [(d.before, d.after) for d in self.differences]
        return self.same + sum(None not in both for both in sides)

    def of(self, change: Change) -> tuple[CaseDifference, ...]:
        """The differences of one kind."""
        return tuple(d for d in self.differences if d.change == change)

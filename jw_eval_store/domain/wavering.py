"""Cases whose verdict wavers: different verdicts from the very same inputs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UnstableCase:
    """One case with one set of inputs, judged several times.

    `flip_rate` is the share of judgements that differ from the most frequent verdict, 0..1.
    `quarantined_until` is the date until which the policy accepts its failures.
    """

    case_id: str
    agent: str
    layer: str
    judgements: int
    passed: int
    failed: int
    undecided: int
    first_run: str
    last_run: str
    quarantined_until: str | None = None

    @property
    def flip_rate(self) -> float:
        """Share of judgements that say otherwise than most, 0..1."""
        return 1 - max(self.passed, self.failed, self.undecided) / self.judgements

"""What the merge policy asks of the registry, and what is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RuleKind = Literal["layer", "language", "topic", "required", "evidence", "recording", "new"]


@dataclass(frozen=True)
class CoverageRow:
    """One rule for one agent. `present` counts distinct, current, lint-clean cases.

    `what` is the layer, the language, the topic, the case id, or the revision since which cases are
    new. `passing` are those whose current content passed when last judged. `command` adds what is
    missing.
    """

    agent: str
    kind: RuleKind
    what: str
    required: int
    present: int
    passing: int
    command: str = ""

    @property
    def missing(self) -> int:
        """How many are still to be added or renewed."""
        return max(0, self.required - self.present)

    @property
    def weak(self) -> bool:
        """Whether the rule is met only by number: fewer of the cases pass than are wanted."""
        return not self.missing and self.passing < self.required

    @property
    def status(self) -> str:
        """`met`, `missing`, or that cases are present which don't pass."""
        if self.missing:
            return "missing"
        return f"present, {self.passing} passing" if self.weak else "met"


@dataclass(frozen=True)
class CoverageReport:
    """All rules that were asked about. `notes` name cases that did not count, and why.

    `refused` is how many files of the configured folders could not be read; `notes` name them, too.
    """

    rows: tuple[CoverageRow, ...]
    notes: tuple[str, ...] = ()
    refused: int = 0

    @property
    def gaps(self) -> tuple[CoverageRow, ...]:
        """The rules that are not met."""
        return tuple(row for row in self.rows if row.missing)

    @property
    def weak(self) -> tuple[CoverageRow, ...]:
        """The rules that are met by cases of which fewer pass than are wanted."""
        return tuple(row for row in self.rows if row.weak)

    @property
    def ok(self) -> bool:
        """Whether every rule is met; a report without rules, or with a refused file, is not.

        Rules ask for cases; whether they pass is what a run decides (see `weak`).
        """
        return bool(self.rows) and not self.gaps and not self.refused

    @property
    def exit_code(self) -> int:
        """0, 1 where something is missing, 2 where a file is refused."""
        return 0 if self.ok else 2 if self.refused else 1

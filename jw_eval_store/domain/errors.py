"""The errors that callers act on, each with the exit code a command ends with.

Evaluation failures are rows (see `evaluations`), not exceptions; these are for what keeps the tool
from doing its work. Exit codes: CI conventions in docs/cli.md.
"""

from __future__ import annotations


class JwEvalError(Exception):
    """Base of all errors that end a command: a message for people, and the next step.

    `exit_code` 4 (internal) holds for this class only; subclasses say theirs.
    """

    exit_code = 4

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  next: {self.hint}" if self.hint else self.message


class UsageError(JwEvalError):
    """The request, the configuration or an input file is wrong: exit code 2."""

    exit_code = 2


class InfrastructureError(JwEvalError):
    """Something outside the request is down: database, agent, judge, network. Exit code 3."""

    exit_code = 3


class EmptySelectionError(JwEvalError):
    """The selection matched nothing, which must never look like success: exit code 5."""

    exit_code = 5

"""What every strategy is: a judgement and a session in, an outcome out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from jw_eval_store.judges.judgement import Decision, Judgement, Outcome
from jw_eval_store.judges.session import Session


class Strategy(ABC):
    """A way to a verdict. Keeps nothing between cases that could change one."""

    name: str

    @abstractmethod
    def judge(self, judgement: Judgement, session: Session) -> Outcome:
        """The outcome. Raises JudgeError where there is none: that is no fail."""

    @abstractmethod
    def identity(self) -> Mapping[str, Any]:
        """All of its own that a verdict depends on, as JSON."""


def decided(score: float, pass_at: float) -> Decision:
    """Pass at the threshold or above it; scores are compared as they are shown, to 6 decimals."""
    return "pass" if round(score, 6) >= round(pass_at, 6) else "fail"

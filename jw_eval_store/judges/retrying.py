"""Asking again where that may help: resets, overload and rate limits, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_exponential, wait_random

from jw_eval_store.judges.errors import JudgeUnreachableError

T = TypeVar("T")

LONGEST_WAIT = 60.0
"""Seconds; a server that asks for more is waited for no longer than this."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often to ask at most, and the first wait in seconds (doubled each time, with jitter)."""

    attempts: int = 4
    first_wait: float = 1.0
    sleep: Callable[[float], None] = time.sleep

    def call(self, attempt: Callable[[], T]) -> T:
        """The result of the first attempt that succeeds; the last error where none does."""
        retrying = Retrying(
            stop=stop_after_attempt(self.attempts),
            wait=self._wait,
            retry=retry_if_exception(_is_transient),
            sleep=self.sleep,
            reraise=True,
        )
        return retrying(attempt)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, JudgeUnreachableError) else None
        if asked is not None:
            return min(asked, LONGEST_WAIT)
        backoff = wait_exponential(self.first_wait, LONGEST_WAIT) + wait_random(0, self.first_wait)
        return backoff(state)


def _is_transient(error: BaseException) -> bool:
    return isinstance(error, JudgeUnreachableError) and error.transient

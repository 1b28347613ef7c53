"""How much judging may cost, per case and per run: calls, tokens and seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from jw_eval_store.judges.errors import JudgeBudgetError
from jw_eval_store.judges.interface import LlmReply


@dataclass
class Budget:
    """A limit for one `scope` ("case" or "run"), shared by threads. None: no limit.

    Calls are counted before they are made; tokens and seconds after, so the call that crosses
    such a limit is the last one. Cached replies cost nothing.
    """

    scope: str
    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    spent_calls: int = 0
    spent_tokens: int = 0
    spent_seconds: float = 0.0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def reserve(self) -> None:
        """Count one call. Raises JudgeBudgetError if a limit is reached."""
        with self._lock:
            for unit in ("calls", "tokens", "seconds"):
                limit = getattr(self, unit)
                if limit is not None and getattr(self, f"spent_{unit}") >= limit:
                    raise JudgeBudgetError(
                        f"the judge's budget of {limit:g} {unit} per {self.scope} is spent",
                        hint=f"raise {unit}_per_{self.scope} of [judge]",
                    )
            self.spent_calls += 1

    def spend(self, reply: LlmReply) -> None:
        """Count what a call has cost."""
        with self._lock:
            self.spent_tokens += reply.tokens
            self.spent_seconds += reply.duration_ms / 1000

"""A judge's model that is a function: for tests, notebooks and models without a server."""

from __future__ import annotations

import time
from collections.abc import Callable

from jw_eval_store.judges.errors import JudgeUnreachableError
from jw_eval_store.judges.interface import ClientIdentity, LlmClient, LlmReply, LlmRequest


class FunctionClient(LlmClient):
    """Asks a function: the prompt's text goes in, the reply's text (JSON as asked) comes out."""

    name = "function"

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function
        self.model = getattr(function, "__qualname__", type(function).__name__)

    def ask(self, request: LlmRequest) -> LlmReply:
        """What the function says; what it raises counts as a model out of reach."""
        started = time.perf_counter()
        try:
            text = self._function(request.prompt)
        except Exception as fault:
            message = f"{self.model} raised {fault!r}"
            raise JudgeUnreachableError(message, outage=False) from fault
        elapsed = round((time.perf_counter() - started) * 1000)
        return LlmReply(text, model=self.model, duration_ms=elapsed)

    def identity(self) -> ClientIdentity:
        """The function's name; two functions of one name can't be told apart."""
        return ClientIdentity(self.name, self.model)

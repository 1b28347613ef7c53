"""No language model: what needs one stays undecided."""

from __future__ import annotations

from jw_eval_store.judges.errors import JudgeUnreachableError
from jw_eval_store.judges.interface import ClientIdentity, LlmClient, LlmReply, LlmRequest


class NoClient(LlmClient):
    """Answers nothing, and says so (`JW_EVAL_LLM=none`)."""

    name = "none"
    model = ""

    def ask(self, request: LlmRequest) -> LlmReply:
        """Never answers. Raises JudgeUnreachableError with the code `no_judge`."""
        raise JudgeUnreachableError(
            "no judge is configured",
            hint="set JW_EVAL_LLM to ollama, openai or claude",
            outage=False,
            code="no_judge",
        )

    def identity(self) -> ClientIdentity:
        """The identity of nobody."""
        return ClientIdentity("none")

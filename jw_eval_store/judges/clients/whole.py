"""Noticing that a server cut the prompt: it says so with nothing but a token count."""

from __future__ import annotations

from jw_eval_store.judges.errors import JudgeCutError
from jw_eval_store.judges.interface import LlmReply, LlmRequest

_MOST_CHARACTERS_PER_TOKEN = 6
_SMALLEST_DEFAULT_CONTEXT = 2048


def refuse_cut_prompt(
    server: str, request: LlmRequest, reply: LlmReply, context: int | None
) -> None:
    """Raise JudgeCutError where the prompt fills its context or has too few tokens for its size.

    `context` is what the model was loaded with, where that is known. Where it isn't, a count that
    is exactly a usual context (2048, 4096, ...) gives the cut away.
    """
    count = reply.prompt_tokens
    if count is None:
        return
    least = sum(len(m.content) for m in request.messages) / _MOST_CHARACTERS_PER_TOKEN
    full = count >= context - 1 if context else _is_usual_context(count)
    if count < least or full:
        raise JudgeCutError(
            f"{server} read only {count} tokens of the prompt",
            hint="use a model with a longer context, or let the server load it with one",
            reply=reply,
        )


def _is_usual_context(count: int) -> bool:
    return count >= _SMALLEST_DEFAULT_CONTEXT and count & (count - 1) == 0

"""Anthropic's API through its official library. It gives no log-probabilities and takes no seed."""

from __future__ import annotations

import time
from typing import Any

from jw_eval_store.judges.clients import sdk
from jw_eval_store.judges.clients.http import is_local, shown_url
from jw_eval_store.judges.clients.whole import refuse_cut_prompt
from jw_eval_store.judges.interface import ClientIdentity, LlmClient, LlmReply, LlmRequest

DEFAULT_MODEL = "claude-sonnet-4-5-20250929"
OFFICIAL_URL = "https://api.anthropic.com"

_ROOM_FOR_THOUGHT = 4000


class ClaudeClient(LlmClient):
    """Asks one of Anthropic's models; structured output holds the reply to its schema."""

    name = "claude"

    def __init__(
        self,
        model: str | None = None,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 120.0,
    ) -> None:
        library = sdk.library("anthropic", "claude")
        self._service = sdk.Service(library, url or OFFICIAL_URL, timeout, key)
        self.external = not is_local(self._service.url)
        self.model = model or DEFAULT_MODEL
        self._client = library.Anthropic(**self._service.connection())

    def identity(self) -> ClientIdentity:
        """The model's name stands for its weights: Anthropic's dated names never change theirs."""
        return ClientIdentity(self.name, self.model, self.model, shown_url(self._service.url))

    def ask(self, request: LlmRequest) -> LlmReply:
        """One reply. Raises JudgeUnreachableError."""
        started = time.monotonic()
        with self._service.translated():
            answer = self._client.messages.create(**self._options(request))
            reply = self._read(answer, round((time.monotonic() - started) * 1000))
        refuse_cut_prompt(self._service.server, request, reply, None)
        return reply

    def close(self) -> None:
        """Let go of connections."""
        self._client.close()

    def _options(self, request: LlmRequest) -> dict[str, Any]:
        """The request in Anthropic's terms. Thought counts as reply there, so there is room for it.

        Temperature is left to the model: newer ones refuse to have it set.
        """
        schema = self._service.module.transform_schema(dict(request.schema))
        turns = [m for m in request.messages if m.role != "system"]
        return {
            "model": self.model,
            "max_tokens": request.max_tokens + _ROOM_FOR_THOUGHT,
            "system": "\n\n".join(m.content for m in request.messages if m.role == "system"),
            "messages": [{"role": m.role, "content": m.content} for m in turns],
            "output_config": {"format": {"type": "json_schema", "schema": schema}},
        }

    def _read(self, answer: Any, duration_ms: int) -> LlmReply:
        texts = [block.text for block in answer.content if block.type == "text"]
        return LlmReply(
            text="".join(texts),
            model=self.model,
            model_digest=self.model,
            prompt_tokens=answer.usage.input_tokens,
            reply_tokens=answer.usage.output_tokens,
            duration_ms=duration_ms,
            cut=answer.stop_reason in ("max_tokens", "model_context_window_exceeded"),
        )

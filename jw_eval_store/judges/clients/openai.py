"""OpenAI's protocol through its official library: OpenAI itself, or any server that speaks it.

llama.cpp's server, vLLM and LM Studio do. Such a path ignores Ollama's `num_ctx`, so for Ollama use
its own client.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import Any

from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.judges.clients import sdk
from jw_eval_store.judges.clients.http import DESCRIPTION_TIMEOUT, is_local, shown_url
from jw_eval_store.judges.clients.whole import refuse_cut_prompt
from jw_eval_store.judges.errors import JudgeUnreachableError
from jw_eval_store.judges.interface import (
    ClientIdentity,
    LlmClient,
    LlmReply,
    LlmRequest,
    TokenLogprob,
)

DEFAULT_MODEL = "gpt-4.1-mini"
OFFICIAL_URL = "https://api.openai.com/v1"

_TOLD = ("id", "owned_by", "root", "parent", "max_model_len", "meta")
_OPTIONAL = ("logprobs", "top_logprobs", "seed", "temperature")


class OpenAiClient(LlmClient):
    """Asks one model of a server that speaks OpenAI's chat completions.

    Without a model: OpenAI's default there, elsewhere the only model that the server has. The key
    goes over https, or stays on this machine; without one none is sent.
    """

    name = "openai"

    def __init__(
        self,
        model: str | None = None,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 120.0,
        first_token_timeout: float = 300.0,
    ) -> None:
        library = sdk.library("openai", "openai")
        seconds = max(timeout, first_token_timeout)
        self._service = sdk.Service(library, url or OFFICIAL_URL, seconds, key)
        self.external = not is_local(self._service.url)
        self.model = model or (DEFAULT_MODEL if url is None else "")
        self._left_out: frozenset[str] = frozenset()
        self._told: dict[str, Any] | None = None
        self._lock = Lock()
        self._client = library.OpenAI(**self._service.connection())

    def identity(self) -> ClientIdentity:
        """The model with a digest of what the server tells of it, if it tells anything."""
        told = self._description()
        kept = {name: told[name] for name in _TOLD if told.get(name) is not None}
        digest = json_hash(kept) if kept else ""
        return ClientIdentity(self.name, self.model, digest, shown_url(self._service.url))

    def ask(self, request: LlmRequest) -> LlmReply:
        """One reply. Options that the model refuses are left out from then on."""
        self._description()
        started = time.monotonic()
        with self._service.translated():
            completion = self._completion(request)
            reply = self._read(completion, round((time.monotonic() - started) * 1000))
        refuse_cut_prompt(self._service.server, request, reply, self._context())
        return reply

    def close(self) -> None:
        """Let go of connections."""
        self._client.close()

    def _completion(self, request: LlmRequest) -> Any:
        while True:
            options = _options(request, official=self._service.url == OFFICIAL_URL)
            kept = {key: options[key] for key in options if key not in self._left_out}
            try:
                return self._client.chat.completions.create(model=self.model, **kept)
            except self._service.module.APIStatusError as error:
                refused = _refused_options(error, kept)
                if not refused:
                    raise
                self._left_out |= refused

    def _read(self, completion: Any, duration_ms: int) -> LlmReply:
        choice = completion.choices[0]
        tokens = choice.logprobs.content if choice.logprobs else None
        usage = completion.usage
        return LlmReply(
            text=choice.message.content or "",
            model=self.model,
            model_digest=self.identity().digest,
            logprobs=tuple(_token(entry) for entry in tokens) if tokens else None,
            prompt_tokens=usage.prompt_tokens if usage else None,
            reply_tokens=usage.completion_tokens if usage else None,
            duration_ms=duration_ms,
            cut=choice.finish_reason == "length",
        )

    def _description(self) -> dict[str, Any]:
        """What the server's list of models says of ours; empty where it has no such list."""
        with self._lock:
            if self._told is None:
                with self._service.translated():
                    self._told = self._describe()
            return self._told

    def _describe(self) -> dict[str, Any]:
        try:
            listed = [
                model.to_dict()
                for model in self._client.models.list(timeout=DESCRIPTION_TIMEOUT).data
            ]
        except self._service.module.NotFoundError:
            listed = []
        if not self.model and len(listed) == 1:
            self.model = str(listed[0]["id"])
        found = [entry for entry in listed if entry["id"] == self.model]
        if not self.model or (listed and not found):
            raise self._no_model([str(entry["id"]) for entry in listed])
        return found[0] if found else {}

    def _no_model(self, names: list[str]) -> JudgeUnreachableError:
        what = f"has no model {self.model}" if self.model else "has no single model to choose"
        known = ", ".join(names[:8]) or "none that it tells"
        return JudgeUnreachableError(
            f"{self._service.server} {what}", hint=f"set JW_EVAL_LLM_MODEL to one of: {known}"
        )

    def _context(self) -> int | None:
        told = self._description()
        meta = told.get("meta")
        loaded = meta.get("n_ctx") if isinstance(meta, dict) else None
        context = loaded or told.get("max_model_len")
        return context if isinstance(context, int) else None


def _options(request: LlmRequest, *, official: bool) -> dict[str, Any]:
    """The request in OpenAI's terms; its newer models know only `max_completion_tokens`."""
    options: dict[str, Any] = {
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": dict(request.schema)},
        },
        "temperature": request.temperature,
        "seed": request.seed,
        "max_completion_tokens" if official else "max_tokens": request.max_tokens,
    }
    if request.alternatives:
        options |= {"logprobs": True, "top_logprobs": request.alternatives}
    return options


def _refused_options(error: Any, sent: dict[str, Any]) -> frozenset[str]:
    """Which of the optional parts a model says it does not support."""
    if error.status_code not in (400, 403, 422):
        return frozenset()
    named = error.param or error.message
    found = {name for name in _OPTIONAL if name in sent and name in named}
    return frozenset(found | ({"logprobs", "top_logprobs"} if "logprobs" in found else set()))


def _token(entry: Any) -> TokenLogprob:
    top = ((other.token, other.logprob) for other in entry.top_logprobs or ())
    return TokenLogprob.told(entry.token, entry.logprob, top)

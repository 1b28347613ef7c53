"""Ollama's own API through its official library: local, with log-probabilities.

What bites (server and client 0.6): the library waits for ever unless told otherwise; loading a
model can take minutes, and hanging up stops the loading; a prompt longer than the context is cut
silently, under status 200.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, cast

from jw_eval_store.judges.clients.http import (
    CONNECT_TIMEOUT,
    DESCRIPTION_TIMEOUT,
    is_local,
    refusal,
    refused,
    reset,
    shown_url,
    timed_out,
)
from jw_eval_store.judges.clients.whole import refuse_cut_prompt
from jw_eval_store.judges.errors import JudgeError, JudgeUnreachableError
from jw_eval_store.judges.interface import (
    ClientIdentity,
    LlmClient,
    LlmReply,
    LlmRequest,
    TokenLogprob,
)

if TYPE_CHECKING:
    import httpx
    from ollama import ChatResponse
    from ollama._types import Logprob

DEFAULT_MODEL = "llama3.1:8b"
DEFAULT_URL = "http://127.0.0.1:11434"

_CONTEXT_STEP = 2048
_SMALLEST_CONTEXT = 4096
_ROOM_FOR_TEMPLATE = 256
_ROOM_FOR_THOUGHT = 4000
_START_HINT = "start it (ollama serve), or set JW_EVAL_LLM_URL to where it runs"


@dataclass(frozen=True)
class _Model:
    """What the server tells of a model: digest, greatest context, whether it thinks."""

    digest: str
    context: int | None
    thinks: bool


class OllamaClient(LlmClient):
    """Asks one model of an Ollama server.

    `first_token_timeout`: seconds until the first token, a cold load included; `timeout`: seconds
    from there to the end of the reply.
    """

    name = "ollama"

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        url: str = DEFAULT_URL,
        *,
        timeout: float = 120.0,
        first_token_timeout: float = 300.0,
    ) -> None:
        import httpx
        from ollama import Client

        self.model = model
        self.server = f"Ollama at {shown_url(url)}"
        self._timeout, self._first_token = timeout, first_token_timeout
        self._known: _Model | None = None
        self._lock = Lock()
        self._client = Client(
            url,
            timeout=httpx.Timeout(first_token_timeout, connect=CONNECT_TIMEOUT),
            follow_redirects=False,
            trust_env=not is_local(url),
            event_hooks={"request": [_on_request], "response": [self._on_response]},
        )

    def identity(self) -> ClientIdentity:
        """Name and digest of the model. Raises JudgeUnreachableError, also for a missing one."""
        return ClientIdentity(self.name, self.model, self._described().digest)

    def ask(self, request: LlmRequest) -> LlmReply:
        """One streamed reply. Raises JudgeUnreachableError, JudgeCutError for a cut prompt."""
        model = self._described()
        context = _context(request, model)
        started = time.monotonic()
        with self._translated(self._first_token):
            chunks = self._chunks(request, model, context)
        reply = self._assembled(chunks, round((time.monotonic() - started) * 1000))
        loaded = min(context, self._loaded_context(context))
        refuse_cut_prompt(self.server, request, reply, loaded)
        return reply

    def close(self) -> None:
        """Let go of connections."""
        close: Callable[[], None] = self._client.close
        close()

    def _chunks(self, request: LlmRequest, model: _Model, context: int) -> list[ChatResponse]:
        stream = self._client.chat(
            self.model,
            [{"role": m.role, "content": m.content} for m in request.messages],
            stream=True,
            format=dict(request.schema),
            logprobs=request.alternatives > 0 or None,
            top_logprobs=request.alternatives or None,
            options={
                "seed": request.seed,
                "temperature": request.temperature,
                "num_ctx": context,
                "num_predict": request.max_tokens + (_ROOM_FOR_THOUGHT if model.thinks else 0),
            },
        )
        chunks: list[ChatResponse] = []
        with closing(cast("Generator[ChatResponse, None, None]", stream)) as open_stream:
            ends = math.inf
            for chunk in open_stream:
                ends = min(ends, time.monotonic() + self._timeout)
                if time.monotonic() > ends:
                    raise timed_out(self.server, self._timeout)
                chunks.append(chunk)
        return chunks

    def _assembled(self, chunks: list[ChatResponse], duration_ms: int) -> LlmReply:
        if not chunks or not chunks[-1].done:
            raise JudgeUnreachableError(f"{self.server} stopped within its reply", transient=True)
        tokens = tuple(_token(entry) for chunk in chunks for entry in chunk.logprobs or ())
        return LlmReply(
            text="".join(chunk.message.content or "" for chunk in chunks),
            model=self.model,
            model_digest=self._described().digest,
            logprobs=tokens or None,
            prompt_tokens=chunks[-1].prompt_eval_count,
            reply_tokens=chunks[-1].eval_count,
            duration_ms=duration_ms,
            cut=chunks[-1].done_reason == "length",
        )

    def _loaded_context(self, asked: int) -> int:
        """The context that the model is loaded with, where the server tells; else the one asked."""
        try:
            loaded = self._client.ps().models
        except Exception:
            return asked
        named = [m.context_length for m in loaded if _is_named(m.model, self.model)]
        return named[0] or asked if named else asked

    def _described(self) -> _Model:
        with self._lock:
            if self._known is None:
                with self._translated(DESCRIPTION_TIMEOUT):
                    self._known = self._describe()
            return self._known

    def _describe(self) -> _Model:
        digests = [m.digest for m in self._client.list().models if _is_named(m.model, self.model)]
        if not digests:
            raise JudgeUnreachableError(
                f"{self.server} has no model {self.model}",
                hint=f"ollama pull {self.model}, or choose another with JW_EVAL_LLM_MODEL",
            )
        shown = self._client.show(self.model)
        lengths = [v for k, v in (shown.modelinfo or {}).items() if k.endswith(".context_length")]
        thinks = "thinking" in (shown.capabilities or ())
        return _Model(digests[0] or "", lengths[0] if lengths else None, thinks)

    def _on_response(self, response: httpx.Response) -> None:
        """Refuse what is no success; the first token is there, so the shorter limit holds now.

        Ollama sends its headers with the first token, and httpx reads the limit anew for the body.
        """
        if response.status_code >= 300:
            response.read()
            hint = f"ollama pull {self.model}" if response.status_code == 404 else None
            raise refusal(self.server, response.status_code, response.text, response.headers, hint)
        response.request.extensions["timeout"]["read"] = self._timeout

    @contextmanager
    def _translated(self, seconds: float) -> Iterator[None]:
        """Errors of the libraries as ours: whatever happens, it is no verdict."""
        import httpx

        try:
            yield
        except JudgeError:
            raise
        except httpx.ConnectTimeout as error:
            raise refused(self.server, error, _START_HINT) from error
        except httpx.TimeoutException as error:
            raise timed_out(self.server, seconds) from error
        except (httpx.ConnectError, ConnectionError) as error:
            raise refused(self.server, error, _START_HINT) from error
        except Exception as error:
            raise reset(self.server, error) from error


def _on_request(request: httpx.Request) -> None:
    """What needs no model to be loaded is not waited for as if it did."""
    if not request.url.path.endswith("/api/chat"):
        limits = request.extensions["timeout"]
        limits["read"] = min(limits["read"], DESCRIPTION_TIMEOUT)


def _is_named(name: str | None, wanted: str) -> bool:
    return name in (wanted, f"{wanted}:latest")


def _context(request: LlmRequest, model: _Model) -> int:
    """Tokens of context that hold prompt and reply, in steps so that models are not loaded anew.

    A token is at least two characters of European text and three bytes of any other.
    """
    texts = [message.content for message in request.messages]
    prompt = sum(max(len(text) // 2, len(text.encode()) // 3) for text in texts)
    reply = request.max_tokens + (_ROOM_FOR_THOUGHT if model.thinks else 0)
    steps = math.ceil((prompt + reply + _ROOM_FOR_TEMPLATE) / _CONTEXT_STEP)
    return min(max(_SMALLEST_CONTEXT, steps * _CONTEXT_STEP), model.context or sys.maxsize)


def _token(entry: Logprob) -> TokenLogprob:
    top = ((other.token, other.logprob) for other in entry.top_logprobs or ())
    return TokenLogprob.told(entry.token, entry.logprob, top)

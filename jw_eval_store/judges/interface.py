"""What a language model is to a judge: one request, one reply, and who answered.

A client makes one attempt and raises an error of `errors`; retries, budget, cache and validation
are the same for every client (see `asking`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, Self

from jw_eval_store.domain.hashing import content_hash, json_hash

MAX_ALTERNATIVES = 20
"""Most alternatives per token that Ollama's and OpenAI's protocols give."""


MIN_PROBABILITY = 0.01
"""Alternatives below this are noise (as in DeepEval's G-Eval)."""


@dataclass(frozen=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class LlmRequest:
    """A question with the JSON schema of its answer.

    `max_tokens` caps the reply; `alternatives` asks for so many log-probabilities per token
    (0: none). Temperature is 0 unless said otherwise, so that equal questions get equal answers
    as far as the server can.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    max_tokens: int = 300
    alternatives: int = 0
    temperature: float = 0.0
    seed: int = 1

    @property
    def prompt(self) -> str:
        """The whole text sent, as it is stored for people."""
        return "\n\n".join(f"[{message.role}]\n{message.content}" for message in self.messages)

    @property
    def prompt_hash(self) -> str:
        """Content address of the text sent."""
        return content_hash(self.prompt)

    def options(self) -> dict[str, Any]:
        """All that is sent beside the text, as JSON."""
        return {
            "schema": dict(self.schema),
            "max_tokens": self.max_tokens,
            "alternatives": self.alternatives,
            "temperature": self.temperature,
            "seed": self.seed,
        }

    def continued(self, *messages: Message) -> Self:
        """The same question with more turns."""
        return replace(self, messages=(*self.messages, *messages))


@dataclass(frozen=True)
class TokenLogprob:
    """A token of the reply, its log-probability (natural), and what could have stood there."""

    token: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()

    @classmethod
    def told(cls, token: str, logprob: float, top: Iterable[tuple[str, float]]) -> Self:
        """A token as a server tells it, without the alternatives that are noise.

        Of twenty a token all but a few are: dropping them makes a stored reply ten times smaller.
        """
        likely = tuple((text, round(p, 6)) for text, p in top if math.exp(p) >= MIN_PROBABILITY)
        return cls(token, round(logprob, 6), likely)


@dataclass(frozen=True)
class LlmReply:
    """What came back, as it came. `cut`: the reply ended at the cap, not by itself.

    Token counts are the server's; `cached`: nobody was asked.
    """

    text: str
    model: str
    model_digest: str = ""
    logprobs: tuple[TokenLogprob, ...] | None = None
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    duration_ms: int = 0
    cut: bool = False
    cached: bool = False

    @property
    def tokens(self) -> int:
        """Tokens that the call cost, as far as the server told."""
        return (self.prompt_tokens or 0) + (self.reply_tokens or 0)

    def to_json(self) -> dict[str, Any]:
        """JSON form, as cached and stored."""
        body = {name: getattr(self, name) for name in self.__dataclass_fields__}
        body["logprobs"] = None if self.logprobs is None else logprobs_json(self.logprobs)
        return body

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> LlmReply:
        """The reply that `to_json` wrote. Raises KeyError or TypeError for anything else."""
        tokens = body["logprobs"]
        logprobs = None if tokens is None else tuple(_token(item) for item in tokens)
        return cls(**{**body, "logprobs": logprobs})


def logprobs_json(tokens: tuple[TokenLogprob, ...]) -> list[dict[str, Any]]:
    """Tokens as JSON: `token`, `logprob`, `top` (alternatives as pairs)."""
    return [
        {"token": t.token, "logprob": t.logprob, "top": [list(pair) for pair in t.alternatives]}
        for t in tokens
    ]


def _token(item: Mapping[str, Any]) -> TokenLogprob:
    top = tuple((str(text), float(logprob)) for text, logprob in item["top"])
    return TokenLogprob(item["token"], item["logprob"], top)


@dataclass(frozen=True)
class ClientIdentity:
    """Who answers: part of what a verdict depends on.

    `digest` is what the server tells of the model's weights, empty where it tells nothing.
    `server` is set only where the digest does not identify the model by itself.
    """

    client: str
    model: str = ""
    digest: str = ""
    server: str = ""

    def to_json(self) -> dict[str, str]:
        """JSON form, without what is empty."""
        named = (("client", self.client), ("model", self.model))
        told = (("digest", self.digest), ("server", self.server))
        return {key: value for key, value in (*named, *told) if value}


@dataclass(frozen=True)
class ClientCheck:
    """What `judge check` says of a client, as sentences. `ok`: it can judge."""

    ok: bool
    identity: ClientIdentity
    lines: tuple[str, ...] = field(default=())


class LlmClient(ABC):
    """A way to ask a language model. May be used by several threads at once."""

    name: str
    model: str
    external: bool = False

    @abstractmethod
    def ask(self, request: LlmRequest) -> LlmReply:
        """One attempt. Raises JudgeUnreachableError or JudgeCutError, and nothing else."""

    @abstractmethod
    def identity(self) -> ClientIdentity:
        """Who answers; asks the server once. Raises JudgeUnreachableError."""

    def close(self) -> None:
        """Let go of connections."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ReplyCache(Protocol):
    """Replies by content address of (client, model digest, prompt, options)."""

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The stored body, if there is one."""

    def put(self, key: str, body: Mapping[str, Any]) -> None:
        """Store a body; the first one stays."""


def reply_key(identity: ClientIdentity, request: LlmRequest) -> str:
    """The key under which a reply to this request by this model is cached."""
    return json_hash(
        {"model": identity.to_json(), "prompt": request.prompt_hash, "options": request.options()}
    )

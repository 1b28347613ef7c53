"""Small real subclasses of the judges' interfaces, and texts to judge."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Any

from jw_eval_store.judges.asking import Asker
from jw_eval_store.judges.budget import Budget
from jw_eval_store.judges.interface import (
    ClientIdentity,
    LlmClient,
    LlmReply,
    LlmRequest,
    TokenLogprob,
)
from jw_eval_store.judges.judgement import Judgement
from jw_eval_store.judges.retrying import RetryPolicy
from jw_eval_store.judges.session import Session

JUDGEMENT = Judgement(
    case_id="l3_soul",
    language="es",
    question="¿Qué es el alma?",
    golden_answer="El alma muere. Los muertos no están conscientes de nada.",
    candidate="Según las Escrituras, el alma es la persona y muere.",
)

Answerer = Callable[[LlmRequest], "str | LlmReply | Exception"]


class FakeClient(LlmClient):
    """Answers from a list in turn, or by a function of the request; keeps what it was asked."""

    name = "fake"
    model = "fake-1"

    def __init__(
        self, answers: Sequence[str | LlmReply | Exception] | Answerer, digest: str = "sha256:f"
    ) -> None:
        self.asked: list[LlmRequest] = []
        self.digest = digest
        self._answers = answers

    def identity(self) -> ClientIdentity:
        """A fixed identity."""
        return ClientIdentity(self.name, self.model, self.digest)

    def ask(self, request: LlmRequest) -> LlmReply:
        """The next answer."""
        self.asked.append(request)
        if callable(self._answers):
            answer = self._answers(request)
        else:
            answer = self._answers[min(len(self.asked), len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            answer = LlmReply(answer, self.model, prompt_tokens=100, reply_tokens=10)
        return replace(answer, model=self.model, model_digest=self.digest, duration_ms=5)


def session_with(client: LlmClient, language: str = "en", calls: int | None = None) -> Session:
    """A session of one case that asks a client, without waiting between retries."""
    asker = Asker(client, retries=RetryPolicy(attempts=2, sleep=lambda _: None))
    return Session(asker, "es" if language == "es" else "en", Budget("case", calls=calls))


def said(**answer: Any) -> str:
    """An answer as JSON text."""
    return json.dumps(answer, ensure_ascii=False)


def verdict(label: str, probabilities: Mapping[str, float] | None = None) -> LlmReply:
    """A labelled answer; with probabilities, its label's token carries them."""
    tokens = [
        TokenLogprob('{"', -0.01),
        TokenLogprob("verdict", -0.01),
        TokenLogprob('": "', -0.01),
        token(label, probabilities or {label: 1.0}),
        TokenLogprob('", "reason": "because"}', -0.01),
    ]
    text = "".join(t.token for t in tokens)
    return LlmReply(text, "", logprobs=tuple(tokens) if probabilities else None)


def token(text: str, probabilities: Mapping[str, float]) -> TokenLogprob:
    """A token with its alternatives by probability."""
    top = tuple((alternative, log(p)) for alternative, p in probabilities.items())
    return TokenLogprob(text, log(probabilities[text]), top)

"""One case's conversation with the judge: asks question after question and keeps the trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import JsonValue

from jw_eval_store.domain.evaluations import JudgeStep
from jw_eval_store.judges.answers import Answer, Labelled, labelled
from jw_eval_store.judges.asking import Asked, Asker
from jw_eval_store.judges.budget import Budget
from jw_eval_store.judges.errors import JudgeError
from jw_eval_store.judges.interface import (
    MAX_ALTERNATIVES,
    LlmReply,
    LlmRequest,
    logprobs_json,
)
from jw_eval_store.judges.logprobs import distribution, margin
from jw_eval_store.judges.prompts import load_prompt
from jw_eval_store.judges.prompts.library import PromptLanguage

TOKENS_OF_A_REASON = 300
"""Cap of an answer with a reason in one sentence."""

AnswerT = TypeVar("AnswerT", bound=Answer)


def tokens_to_list(text: str) -> int:
    """Cap of an answer that lists what a text says: more than the text, but not without end."""
    return min(2000, 150 + len(text))


@dataclass(frozen=True)
class Reading:
    """What an answer means, as its step shows it. `probabilities`: of each label, where known."""

    answer: str
    score: float | None = None
    probabilities: Mapping[str, float] | None = None
    details: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Question(Generic[AnswerT]):
    """What is asked at a node: `text` for people, `prompt` with its `parts` for the model.

    `read` turns the answer and its reply into what the step shows. `alternatives`: how many
    log-probabilities per token are wanted. `lasting`: see `Asker.ask`.
    """

    node: str
    kind: str
    text: str
    prompt: str
    parts: Mapping[str, str]
    answer: type[AnswerT]
    read: Callable[[AnswerT, LlmReply], Reading]
    max_tokens: int = TOKENS_OF_A_REASON
    alternatives: int = 0
    lasting: bool = False


class Session:
    """The questions of one case, in one prompt language, within one budget.

    `repeat` shifts the seed, so that repeats are asked anew and not answered from the cache.
    """

    def __init__(
        self, asker: Asker, language: PromptLanguage, budget: Budget, repeat: int = 0
    ) -> None:
        self.language: PromptLanguage = language
        self.steps: list[JudgeStep] = []
        self._asker, self._budget, self._repeat = asker, budget, repeat

    @property
    def calls(self) -> int:
        """Calls made so far."""
        return self._budget.spent_calls

    def ask(self, question: Question[AnswerT]) -> tuple[AnswerT, Reading]:
        """The answer and its reading; the step is kept either way. Raises JudgeError."""
        prompt = load_prompt(question.prompt, self.language)
        request = LlmRequest(
            prompt.filled(question.parts),
            question.answer.model_json_schema(),
            max_tokens=question.max_tokens,
            alternatives=question.alternatives,
            seed=1 + (0 if question.lasting else self._repeat),
        )
        try:
            asked = self._asker.ask(
                request,
                question.answer,
                self._budget,
                language=self.language,
                lasting=question.lasting,
            )
        except JudgeError as error:
            self.steps.append(_failed(question, request, error))
            raise
        reading = question.read(asked.answer, asked.reply)
        self.steps.append(_answered(question, request, asked, reading))
        return asked.answer, reading

    def note(self, step: JudgeStep) -> None:
        """Keep a step that asked no model."""
        self.steps.append(step)


def choice(
    node: str, kind: str, text: str, prompt: str, parts: Mapping[str, str], labels: tuple[str, ...]
) -> Question[Labelled]:
    """A question answered by one of some labels, read with its probability."""

    def read(answer: Labelled, reply: LlmReply) -> Reading:
        known = distribution(reply, "verdict", labels, answer.verdict)
        return Reading(answer.verdict, probabilities=known, details={"reason": answer.reason})

    kinds = labelled(labels)
    return Question(node, kind, text, prompt, parts, kinds, read, alternatives=MAX_ALTERNATIVES)


def _answered(
    question: Question[Any], request: LlmRequest, asked: Asked[Any], reading: Reading
) -> JudgeStep:
    known = reading.probabilities
    details = dict(reading.details)
    if known is not None:
        details["probabilities"] = {label: round(p, 6) for label, p in known.items()}
    if asked.mended is not None:
        details["asked_again"] = asked.mended
    return JudgeStep(
        **_basis(question, request),
        **_spent(asked.reply),
        answer=reading.answer,
        score=reading.score,
        probability=None if known is None else known.get(reading.answer),
        margin=None if known is None else margin(list(known.values())),
        details=details,
    )


def _failed(question: Question[Any], request: LlmRequest, error: JudgeError) -> JudgeStep:
    return JudgeStep(
        **_basis(question, request),
        **(_spent(error.reply) if error.reply else {}),
        error=error.code,
        details={"problem": str(error)},
    )


def _basis(question: Question[Any], request: LlmRequest) -> dict[str, Any]:
    return {
        "node": question.node,
        "kind": question.kind,
        "question": question.text,
        "prompt": request.prompt,
        "prompt_hash": request.prompt_hash,
    }


def _spent(reply: LlmReply) -> dict[str, Any]:
    return {
        "reply": reply.text.encode("utf-8", "replace").decode(),
        "logprobs": logprobs_json(reply.logprobs) if reply.logprobs else None,
        "model": reply.model,
        "model_digest": reply.model_digest,
        "prompt_tokens": reply.prompt_tokens,
        "reply_tokens": reply.reply_tokens,
        "duration_ms": reply.duration_ms,
        "cached": reply.cached,
    }

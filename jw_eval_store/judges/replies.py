"""Reading what a model wrote: lenient in finding the JSON, strict in accepting it.

Local models wrap JSON in fences, think aloud first, leave commas behind and stop in the middle.
All of that is looked through where only one reading is possible; where two are, the reply is
refused, since a guess would be a verdict that nobody gave.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

from pydantic import ValidationError

from jw_eval_store.judges.answers import Answer
from jw_eval_store.judges.interface import LlmReply

AnswerT = TypeVar("AnswerT", bound=Answer)

_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought)>", re.IGNORECASE)
_THOUGHT_STARTS = re.compile(r"<(?:think|thinking|thought)>", re.IGNORECASE)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')
_FENCES = re.compile(r"^```\w*\s*|\s*```$")


class InvalidReplyError(ValueError):
    """A reply that holds no acceptable answer; the text says why, for the model to mend it."""

    def __init__(self, message: str, *, cut: bool = False) -> None:
        super().__init__(message)
        self.cut = cut


def read_answer(reply: LlmReply, kind: type[AnswerT]) -> AnswerT:
    """The one answer in a reply. Raises InvalidReplyError.

    A reply that ended at its cap counts only if it is nothing but a whole answer (models may write
    white space for ever after it).
    """
    for text in (reply.text, _without_thought(reply.text)):
        whole = _loaded(_FENCES.sub("", text.strip()))
        if whole is not None:
            return _validated(whole, kind)
    if reply.cut:
        raise InvalidReplyError("the reply was cut off before it was complete", cut=True)
    return _only_answer(_without_thought(reply.text), kind)


def _without_thought(text: str) -> str:
    """What follows the last thought; nothing where a thought does not end."""
    spoken = _THOUGHT_ENDS.split(text)[-1]
    return "" if _THOUGHT_STARTS.search(spoken) else spoken


def _only_answer(text: str, kind: type[AnswerT]) -> AnswerT:
    found = _objects(text)
    if not found:
        raise InvalidReplyError("no complete JSON object in the reply")
    answers = [_validated(value, kind) for value in found]
    if any(_decision(answer) != _decision(answers[0]) for answer in answers):
        raise InvalidReplyError("the reply holds several different answers")
    return answers[-1]


def _decision(answer: Answer) -> dict[str, Any]:
    return answer.model_dump(exclude={"reason"})


def _objects(text: str) -> list[Any]:
    """The outermost `{...}` of a text that are JSON.

    Raises InvalidReplyError for braces that are not: what stands within them could be taken out of
    its context.
    """
    found, start = [], text.find("{")
    while start >= 0:
        end = _closing(text, start)
        value = _loaded(text[start:end]) if end else None
        if value is None:
            raise InvalidReplyError("the JSON object in the reply is not complete or not valid")
        found.append(value)
        start = text.find("{", end)
    return found


def _closing(text: str, start: int) -> int:
    """Just after the brace that closes the one at `start`, strings left out; 0 if none does."""
    depth = 0
    for match in re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL).finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    return 0


def _loaded(text: str) -> Any:
    """The JSON value of a text, None where it is none or says one key twice."""
    repaired = _TRAILING_COMMA.sub(lambda match: match.group(1) or "", text)
    try:
        return json.loads(repaired, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _validated(value: Any, kind: type[AnswerT]) -> AnswerT:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise InvalidReplyError(_in_words(error)) from error


def _in_words(error: ValidationError) -> str:
    problems = []
    for problem in error.errors(include_url=False, include_input=False, include_context=False):
        where = ".".join(str(part) for part in problem["loc"])
        problems.append(f"{where}: {problem['msg']}" if where else problem["msg"])
    return "; ".join(problems[:5])

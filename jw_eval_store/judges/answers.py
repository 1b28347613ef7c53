"""The shapes of answers that judges are asked for, one class a kind of question.

The deciding key stands first, so that it is written before any reason and its log-probability can
be read. Types are strict: a number in quotes or a text for a truth value is no answer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from jw_eval_store.domain.values import NonBlank

MAX_CLAIMS = 40
"""A text that is split into more claims than this is no answer to one question."""


class Answer(BaseModel):
    """Base of all answers: strict types, no further keys."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Labelled(Answer):
    """One of some labels, with a reason for people."""

    verdict: str
    reason: str


class Scored(Answer):
    """A whole number in a range, with a reason for people."""

    score: int
    reason: str


class Extracted(Answer):
    """What a task found in the texts, as plain text."""

    output: NonBlank


class Steps(Answer):
    """A check list for G-Eval (Liu et al. 2023)."""

    steps: Annotated[list[NonBlank], Field(min_length=1, max_length=8)]


class Claims(Answer):
    """The single claims of a text, in its order."""

    claims: Annotated[list[NonBlank], Field(min_length=1, max_length=MAX_CLAIMS)]


def _label(value: object) -> object:
    """`Yes` and ` yes. ` mean `yes`: spelling of a label is not what is judged."""
    return value.strip().strip(".").casefold() if isinstance(value, str) else value


YesNo = Annotated[Literal["yes", "no"], BeforeValidator(_label)]


class NumberedVerdict(Answer):
    """Whether the claim with this number stands in the text."""

    number: int
    verdict: YesNo


class ClaimVerdicts(Answer):
    """One verdict per claim number."""

    verdicts: list[NumberedVerdict]


@lru_cache(maxsize=256)
def labelled(labels: tuple[str, ...]) -> type[Labelled]:
    """The answer class for a choice among labels, in the order given (lower case)."""
    kind: Any = Annotated[Literal[labels], BeforeValidator(_label)]
    return create_model("Labelled", __base__=Labelled, verdict=(kind, ...), reason=(str, ...))


@lru_cache(maxsize=MAX_CLAIMS)
def claim_verdicts(count: int) -> type[ClaimVerdicts]:
    """The answer class for so many claims.

    The count is only asked for: a verdict that is missing is asked for again by itself.
    """
    wanted = {"minItems": count, "maxItems": count}
    kind: Any = Annotated[list[NumberedVerdict], Field(json_schema_extra=dict(wanted))]
    return create_model("ClaimVerdicts", __base__=ClaimVerdicts, verdicts=(kind, ...))


@lru_cache(maxsize=64)
def scored(low: int, high: int) -> type[Scored]:
    """The answer class for a whole number from low to high, both included."""
    kind: Any = Annotated[int, Field(ge=low, le=high)]
    return create_model("Scored", __base__=Scored, score=(kind, ...), reason=(str, ...))

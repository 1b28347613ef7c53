"""From which probabilities on a model for inference may decide, by kind of text and language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from pydantic import Field, JsonValue, model_validator

from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.domain.values import NonBlank, Value

DEFAULT_KIND = "doctrine"
"""The kind of a project's cases, and of pairs that name neither kind nor set."""


LEAST_WRONG = 50
"""So many pairs that must not pass (or not fail) are needed to choose a threshold by."""

LEAST_RIGHT = 20
"""And so many that should."""


def base_language(language: str) -> str:
    """`es` of `es-mx`: thresholds are found for a language, not for its regions."""
    return language.partition("-")[0]


class Counted(Value):
    """So many hits of a total, with Wilson's interval of 95 %."""

    hits: int = Field(0, ge=0)
    total: int = Field(0, ge=0)
    lower: float = Field(0.0, ge=0, le=1)
    upper: float = Field(1.0, ge=0, le=1)


class InferenceThresholds(Value):
    """What was measured on one kind of text in one language.

    From `pass_at` on an answer may pass without a judge, if nothing else speaks against it; from
    `fail_at` on its contradiction fails it. None: it never does, for the `reasons`. The counts are
    those at these thresholds.
    """

    kind: NonBlank
    language: NonBlank
    pass_at: float | None = Field(None, ge=0.5, le=1)
    fail_at: float | None = Field(None, ge=0.5, le=1)
    pairs: int = Field(0, ge=0)
    true_passed: Counted = Counted()
    others_passed: Counted = Counted()
    contradictions_passed: Counted = Counted()
    true_failed: Counted = Counted()
    contradictions_failed: Counted = Counted()
    reasons: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Kind and language: of each there is one entry in force."""
        return self.kind, self.language

    @property
    def tells(self) -> bool:
        """Whether it has a threshold, or pairs enough to say that there is none."""
        true, others = self.true_passed.total, self.others_passed.total
        enough = max(true, others) >= LEAST_WRONG and min(true, others) >= LEAST_RIGHT
        return enough or self.pass_at is not None or self.fail_at is not None


class InferenceProfile(Value):
    """The thresholds of one model, exactly these weights, and what they were measured on.

    `aggregation` is the version of how probabilities of sentences become those of answers.
    """

    model: NonBlank
    revision: NonBlank
    aggregation: NonBlank
    entries: tuple[InferenceThresholds, ...]
    provenance: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_one_entry_each(self) -> Self:
        if len({entry.key for entry in self.entries}) < len(self.entries):
            raise ValueError("two entries are of the same kind and language")
        return self

    @property
    def profile_hash(self) -> str:
        """Content address of the whole profile."""
        return json_hash(self.model_dump(mode="json"))


def in_force(profiles: Iterable[InferenceProfile]) -> dict[tuple[str, str], InferenceThresholds]:
    """Of each kind and language the first entry that tells, the profiles coming newest first.

    One that was found on too few pairs puts none out of force.
    """
    found: dict[tuple[str, str], InferenceThresholds] = {}
    for profile in profiles:
        for entry in filter(lambda one: one.tells, profile.entries):
            found.setdefault(entry.key, entry)
    return found

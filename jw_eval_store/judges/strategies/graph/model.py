"""What a graph consists of. Targets are names of nodes; ends written in place got theirs in `load`.

A text may be given once per prompt language (`{en: ..., es: ...}`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    TypeAdapter,
    model_validator,
)

from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.domain.values import NonBlank, TextList, Value, no_switch

HIGHEST = 10
"""Ends score 0..10, as in DeepEval; the graph's score is that divided by ten."""

Text = NonBlank | Annotated[dict[Literal["en", "es"], NonBlank], Field(min_length=1)]
Listed = Annotated[tuple[NonBlank, ...], Field(min_length=1)]
Steps = TextList | Annotated[dict[Literal["en", "es"], TextList], Field(min_length=1)]


def _lower(label: str) -> str:
    if label != label.casefold():
        raise ValueError("is to be written in small letters")
    return label


Label = Annotated[
    str, StringConstraints(pattern=r"^\w[\w-]*$", max_length=40), AfterValidator(_lower)
]


def in_language(text: Text, language: str) -> str:
    """The text in a prompt language, else in the language that it has."""
    if isinstance(text, str):
        return text
    named: dict[str, str] = {str(key): value for key, value in text.items()}
    return named.get(language) or next(iter(named.values()))


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from error
    return pattern


def steps_in_language(steps: Steps, language: str) -> tuple[str, ...]:
    """A check list in a prompt language, else in the language that it has."""
    if isinstance(steps, tuple):
        return steps
    named: dict[str, tuple[str, ...]] = {str(key): value for key, value in steps.items()}
    return named.get(language) or next(iter(named.values()))


class Node(Value):
    """What all nodes share. `about` is for people and for the drawing."""

    about: str = ""

    def branches(self) -> dict[str, str]:
        """The names of the next nodes by answer, in the order written; empty for an end."""
        return {}


class _Reading(Node):
    reads: TextList = Field(min_length=1)


class TaskNode(_Reading):
    """Takes something out of the texts and hands it on under its own name; decides nothing."""

    kind: Literal["task"]
    task: Text
    then: NonBlank

    def branches(self) -> dict[str, str]:
        """The one next node."""
        return {"then": self.then}


class _YesNo(Node):
    yes: NonBlank
    no: NonBlank

    def branches(self) -> dict[str, str]:
        """One node for each answer."""
        return {"yes": self.yes, "no": self.no}


class BinaryNode(_Reading, _YesNo):
    """Asks the model one question of yes or no."""

    kind: Literal["binary"]
    ask: Text


class ChoiceNode(_Reading):
    """Asks the model one question with several answers, one word each, in the order written."""

    kind: Literal["choice"]
    ask: Text
    answers: Annotated[dict[Label, NonBlank], Field(min_length=2)]

    def branches(self) -> dict[str, str]:
        """One node for each answer."""
        return dict(self.answers)


class KeywordRule(_YesNo):
    """Whether the candidate holds any, or none, of some phrases, in the normal form of text."""

    kind: Literal["rule"]
    rule: Literal["contains_any", "contains_none"]
    phrases: Literal["keywords_any", "keywords_none"] | Listed


class RegexRule(_YesNo):
    """Whether a pattern is found in the candidate as written; capital letters don't matter."""

    kind: Literal["rule"]
    rule: Literal["regex"]
    pattern: Annotated[NonBlank, AfterValidator(_compiles)]


class CitesRule(_YesNo):
    """Whether all of some URLs are cited: the case's expected ones, or those listed."""

    kind: Literal["rule"]
    rule: Literal["cites"]
    urls: Literal["expected"] | Listed = "expected"


class SimilarityRule(_YesNo):
    """Whether the cosine of candidate and golden answer reaches a value: for what is off topic."""

    kind: Literal["rule"]
    rule: Literal["min_similarity"]
    at_least: Annotated[float, BeforeValidator(no_switch)] = Field(gt=-1, le=1)


class FindingsRule(_YesNo):
    """Whether the answer has enough findings."""

    kind: Literal["rule"]
    rule: Literal["min_findings"]
    at_least: Annotated[int, BeforeValidator(no_switch)] = Field(ge=1)


class GEvalNode(_Reading):
    """An end with a graded score: G-Eval by criteria or steps (which win)."""

    kind: Literal["g_eval"]
    criteria: Text | None = None
    steps: Steps = ()
    strict: bool = False

    @model_validator(mode="after")
    def _measures_something(self) -> Self:
        if not (self.criteria or self.steps):
            raise ValueError("needs criteria or steps")
        return self


class VerdictNode(Node):
    """An end with a fixed score, 0..10."""

    kind: Literal["verdict"]
    score: Annotated[float, BeforeValidator(no_switch)] = Field(ge=0, le=HIGHEST)
    because: str = ""


Rule = KeywordRule | RegexRule | CitesRule | SimilarityRule | FindingsRule
AnyNode = TaskNode | BinaryNode | ChoiceNode | Rule | GEvalNode | VerdictNode

NODE: TypeAdapter[AnyNode] = TypeAdapter(
    Annotated[
        TaskNode
        | BinaryNode
        | ChoiceNode
        | Annotated[Rule, Field(discriminator="rule")]
        | GEvalNode
        | VerdictNode,
        Field(discriminator="kind"),
    ]
)


def questions(node: AnyNode) -> int:
    """How many questions a node costs: none for what code decides."""
    if isinstance(node, GEvalNode):
        return 1 if node.steps else 2
    return 1 if isinstance(node, TaskNode | BinaryNode | ChoiceNode) else 0


class Graph(Value):
    """A sound graph: see `load`, which is the only way to one."""

    graph: NonBlank
    about: str = ""
    start: NonBlank
    nodes: Mapping[str, AnyNode]

    @cached_property
    def minds_keywords(self) -> bool:
        """Whether a node asks for the case's required keywords."""
        return any(
            node.phrases == "keywords_any"
            if isinstance(node, KeywordRule)
            else isinstance(node, _Reading) and "keywords_any" in node.reads
            for node in self.nodes.values()
        )

    @cached_property
    def content_hash(self) -> str:
        """Content address of all that can change a verdict; the order of answers counts."""
        return json_hash(
            {"start": self.start}
            | {name: node.model_dump_json() for name, node in self.nodes.items()}
        )

"""Golden cases: what an agent is asked and what its answer must show, one class a layer.

The shape is the evaluation suite's specification (layers L1, L2, L3); keys of a layer stand under
`expected` here, wherever the YAML file had them (see `golden`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, StringConstraints, TypeAdapter

from jw_eval_store.domain import vocabulary
from jw_eval_store.domain.expectations import (
    CitationExpectation,
    SemanticExpectation,
    StructuralExpectation,
)
from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.languages import bcp47
from jw_eval_store.domain.values import IsoMoment, NonBlank, Value, as_list

Layer = vocabulary.Layer
LAYERS = vocabulary.LAYERS

CaseId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=120)]
AgentName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_.-]*$", max_length=80)]


class CaseBase(Value):
    """What cases of every layer share. `input` goes to the agent unchanged.

    `now` freezes the agent's clock; `lint` switches single lint rules off, each with a reason.
    """

    id: CaseId
    agent: AgentName
    input: dict[str, JsonValue] = Field(min_length=1)
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    lint: dict[str, NonBlank] = Field(default_factory=dict)
    now: IsoMoment | None = None

    @property
    def language(self) -> str:
        """BCP 47 tag derived from `input.language`, `und` where there is none."""
        return bcp47(self.input.get("language"))

    @property
    def topic(self) -> str | None:
        """`metadata.topic`, by which coverage is counted; a whole number as text."""
        topic = self.metadata.get("topic")
        return str(topic) if is_text_or_whole(topic) else None

    @property
    def tags(self) -> tuple[str, ...]:
        """`metadata.tags`, one or a list of them, in the order written, as text."""
        tags = as_list(self.metadata.get("tags"))
        return tuple(str(tag) for tag in tags) if isinstance(tags, list) else ()

    def definition(self) -> dict[str, Any]:
        """The whole case as JSON, without what was left at its default."""
        dumped = self.model_dump(mode="json", exclude_defaults=True)
        return dumped | {"layer": dumped.get("layer", getattr(self, "layer", None))}

    @cached_property
    def content(self) -> str:
        """Canonical JSON of all that can change a verdict: not metadata, not lint switches."""
        return content_of(self.definition())

    @cached_property
    def content_hash(self) -> str:
        """Content address of `content`: equal for revisions that are judged alike."""
        return content_hash(self.content)


class StructuralCase(CaseBase):
    """L1: the answer has the expected structure."""

    layer: Literal["l1"] = "l1"
    expected: StructuralExpectation


class CitationCase(CaseBase):
    """L2: the expected pages are cited, and they say so."""

    layer: Literal["l2"] = "l2"
    expected: CitationExpectation


class SemanticCase(CaseBase):
    """L3: the answer means what the golden answer means."""

    layer: Literal["l3"] = "l3"
    expected: SemanticExpectation
    judge: JudgeSpec = Field(default_factory=JudgeSpec)


GoldenCase = Annotated[StructuralCase | CitationCase | SemanticCase, Field(discriminator="layer")]

_ADAPTER: TypeAdapter[StructuralCase | CitationCase | SemanticCase] = TypeAdapter(GoldenCase)


def is_text_or_whole(value: object) -> bool:
    """Whether a topic or tag is a text, or a number whose text is what was written: 1914."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def content_of(definition: Mapping[str, Any]) -> str:
    """Canonical JSON of what can change a verdict, from a case's JSON form."""
    return canonical_json(
        {key: value for key, value in definition.items() if key not in ("metadata", "lint")}
    )


def parse_case(definition: object) -> StructuralCase | CitationCase | SemanticCase:
    """A case from its JSON form (`layer` decides the class). Raises pydantic.ValidationError."""
    return _ADAPTER.validate_python(definition)

"""What a layer may expect of an answer. An expectation that expects nothing is refused."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from jw_eval_store.domain.values import NonBlank, TextList, Value, as_list

Url = Annotated[str, StringConstraints(pattern=r"^https?://[^\s/]+", max_length=2000)]


SOURCE_PRIORITY = (
    "topic_index_candidate",
    "topic_index",
    "topic_index_entry",
    "question_refs",
    "verse_text",
    "study_note",
    "cdn_search",
    "rag",
)
"""The toolkit's documented order: Topic Index > question refs > verse text > ... > RAG."""


class StructuralExpectation(Value):
    """L1. Counts are of findings; keyword searches use the normal form of text."""

    min_findings: int | None = Field(None, ge=0)
    max_findings: int | None = Field(None, ge=0)
    sources_in_order: TextList = ()
    sources_order: Literal["prefix", "first_seen", "priority"] = "prefix"
    must_have_source: TextList = ()
    must_have_citation: bool = False
    citation_hosts: TextList = ()
    forbidden_keywords_in_findings: TextList = ()
    required_keywords_any: TextList = ()
    max_warnings: int | None = Field(None, ge=0)

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not self.model_dump(exclude_defaults=True):
            raise ValueError("expects nothing, so no answer could fail it")
        return self


class ExpectedCitation(Value):
    """A page that must be cited, and the phrases of which it must hold at least one."""

    url: Url
    phrases: TextList = ()


def _citation(value: object) -> object:
    return {"url": value} if isinstance(value, str) else value


def _citations(value: object) -> object:
    listed = as_list(value)
    return [_citation(item) for item in listed] if isinstance(listed, list | tuple) else listed


Citations = Annotated[tuple[ExpectedCitation, ...], BeforeValidator(_citations)]


class CitationExpectation(Value):
    """L2. `support_phrases` hold for every citation that has no `phrases` of its own."""

    expected_citations: Citations = Field(min_length=1)
    support_phrases: TextList = ()

    @model_validator(mode="after")
    def _every_citation_has_phrases(self) -> Self:
        bare = [c.url for c in self.expected_citations if not self.phrases_for(c)]
        if bare:
            raise ValueError(f"no support phrase for {bare[0]}, so its page is never checked")
        return self

    def phrases_for(self, citation: ExpectedCitation) -> tuple[str, ...]:
        """The phrases of which this citation's page must hold at least one."""
        return citation.phrases or self.support_phrases


class SemanticExpectation(Value):
    """L3. The golden answer, keywords, and known wrong answers (`counter_answers`)."""

    golden_answer: NonBlank
    expected_citations: Citations = ()
    expected_keywords_any: TextList = ()
    expected_keywords_none: TextList = ()
    counter_answers: TextList = ()


def expectation_fields(layer: str) -> frozenset[str]:
    """Names of the keys a layer's `expected` may hold. Raises KeyError for another layer."""
    classes: dict[str, type[Value]] = {
        "l1": StructuralExpectation,
        "l2": CitationExpectation,
        "l3": SemanticExpectation,
    }
    return frozenset(classes[layer].model_fields)

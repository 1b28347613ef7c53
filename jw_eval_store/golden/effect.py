"""What makes a case worthless whatever is answered: reader, lint and runner ask here alike.

The reader refuses such a file; lint and runner meet one only in a registry that took it earlier.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jw_eval_store.domain.cases import (
    CitationCase,
    GoldenCase,
    SemanticCase,
    StructuralCase,
    is_text_or_whole,
)
from jw_eval_store.domain.expectations import StructuralExpectation
from jw_eval_store.golden.problems import shown
from jw_eval_store.text.phrases import search_form


class Ineffective(NamedTuple):
    """A part of a case that no answer is held against, at a key by its dotted name."""

    key: str
    message: str
    hint: str


def ineffective(case: GoldenCase) -> Iterator[Ineffective]:
    """All that keeps the case, or a text of it, from being held against any answer."""
    if isinstance(case, StructuralCase):
        yield from unfailing(case.expected)
    yield from unsearchable(case)


def unfailing(expected: StructuralExpectation) -> Iterator[Ineffective]:
    """Whether no answer at all could fail these expectations."""
    if not (asks_for_findings(expected) or _limits(expected)):
        message = "no answer could fail these expectations"
        yield Ineffective("expected", message, "expect something, such as min_findings: 1")


def unsearchable(case: GoldenCase) -> Iterator[Ineffective]:
    """Texts of nothing but marks or invisible characters, which are never found in an answer."""
    for key, text in _texts(case):
        if not search_form(text):
            message = f"{shown(text)} holds nothing that could be found in a text"
            yield Ineffective(key, message, "write words")


def uncounted(case: GoldenCase) -> Iterator[Ineffective]:
    """A topic or a tag by which nobody finds the case: it is no text, or another one than written.

    Of `1.10` is left `1.1`, of `true` `True`; the topic would be none at all. Verdicts don't depend
    on metadata, so the runner judges such a case.
    """
    topic, tags = case.metadata.get("topic"), case.metadata.get("tags")
    if topic is not None and not is_text_or_whole(topic):
        yield Ineffective("metadata.topic", f"{shown(topic)} is not a text", "quote it")
    if tags is not None and not isinstance(tags, str | list):
        yield Ineffective("metadata.tags", f"{shown(tags)} is not a list", "such as [soul, hell]")
    for place, tag in enumerate(tags if isinstance(tags, list) else ()):
        if not is_text_or_whole(tag):
            yield Ineffective(f"metadata.tags.{place}", f"{shown(tag)} is not a text", "quote it")


def asks_for_findings(expected: StructuralExpectation) -> bool:
    """Whether an answer without findings fails."""
    return bool(
        expected.min_findings
        or expected.sources_in_order
        or expected.must_have_source
        or expected.must_have_citation
        or expected.required_keywords_any
    )


def _limits(expected: StructuralExpectation) -> bool:
    return bool(
        expected.max_findings is not None
        or expected.max_warnings is not None
        or expected.citation_hosts
        or expected.sources_order == "priority"
        or any(map(search_form, expected.forbidden_keywords_in_findings))
    )


def _texts(case: GoldenCase) -> Iterator[tuple[str, str]]:
    for field in keyword_fields(case):
        yield from _numbered(f"expected.{field}", getattr(case.expected, field))
    if isinstance(case, StructuralCase):
        return
    for position, citation in enumerate(case.expected.expected_citations):
        yield from _numbered(f"expected.expected_citations.{position}.phrases", citation.phrases)
    if isinstance(case, SemanticCase):
        yield "expected.golden_answer", case.expected.golden_answer
        yield from _numbered("expected.counter_answers", case.expected.counter_answers)


def _numbered(key: str, texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for position, text in enumerate(texts):
        yield f"{key}.{position}", text


def keyword_fields(case: GoldenCase) -> tuple[str, ...]:
    """The lists of keywords or phrases of a case, required ones first."""
    if isinstance(case, StructuralCase):
        return "required_keywords_any", "forbidden_keywords_in_findings"
    if isinstance(case, CitationCase):
        return ("support_phrases",)
    return "expected_keywords_any", "expected_keywords_none"

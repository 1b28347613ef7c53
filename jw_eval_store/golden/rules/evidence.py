"""Support phrases against the stored pages that should hold them."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.domain.cases import CitationCase, StructuralCase
from jw_eval_store.domain.evidence import Evidence
from jw_eval_store.domain.expectations import ExpectedCitation
from jw_eval_store.golden.reading import Case
from jw_eval_store.golden.rules.interface import Context, Remark, Rule
from jw_eval_store.text.passages import searchable
from jw_eval_store.text.phrases import nearest_passage
from jw_eval_store.text.urls import parse_url

NOT_IN_EVIDENCE = Rule(
    "phrase-not-in-evidence",
    "error",
    "No support phrase stands on the cited page (error), or one of several doesn't (warning).",
    "evidence",
)
MISSING = Rule(
    "evidence-missing", "warning", "A cited page has no stored evidence to check.", "evidence"
)
RULES = (NOT_IN_EVIDENCE, MISSING)


def check(case: Case, context: Context) -> Iterator[Remark]:
    """All rules of this family; nothing where no evidence is known."""
    if isinstance(case, StructuralCase) or context.evidence is None:
        return
    found: set[str] = set()
    complete = True
    for position, citation in enumerate(case.expected.expected_citations):
        phrases = _phrases(case, citation)
        key = f"expected.expected_citations.{position}"
        evidence = context.evidence.get(parse_url(citation.url).fetch_key)
        if evidence is None:
            complete = False
            hint = "jw-eval snapshots build --missing, then lint again"
            yield Remark(MISSING, key, f"no evidence for {citation.url}", hint)
            continue
        held = _held(citation, phrases, evidence)
        found |= held
        if phrases and not held:
            yield Remark(NOT_IN_EVIDENCE, key, *_explained(citation, phrases, evidence))
        elif citation.phrases:
            yield from _unheld(f"{key}.phrases", citation.phrases, held)
    if complete and isinstance(case, CitationCase) and found:
        used = any(not citation.phrases for citation in case.expected.expected_citations)
        common = case.expected.support_phrases if used else ()
        yield from _unheld("expected.support_phrases", common, found)


def _phrases(case: Case, citation: ExpectedCitation) -> tuple[str, ...]:
    return (
        case.expected.phrases_for(citation) if isinstance(case, CitationCase) else citation.phrases
    )


def _held(citation: ExpectedCitation, phrases: tuple[str, ...], evidence: Evidence) -> set[str]:
    text, anchor = searchable(evidence), parse_url(citation.url).anchor
    return {phrase for phrase in phrases if text.holds(phrase, anchor)}


def _unheld(key: str, phrases: tuple[str, ...], held: set[str]) -> Iterator[Remark]:
    for position, phrase in enumerate(phrases):
        if phrase not in held:
            message = f"'{phrase}' stands on no page that is cited"
            yield Remark(NOT_IN_EVIDENCE, f"{key}.{position}", message, None, "warning")


def _explained(
    citation: ExpectedCitation, phrases: tuple[str, ...], evidence: Evidence
) -> tuple[str, str | None]:
    passages = searchable(evidence).within(parse_url(citation.url).anchor)
    near = nearest_passage(passages, phrases[0])
    message = f"none of {_quoted(phrases)} stands on {citation.url}"
    if not passages:
        return message, "the page has nothing at this anchor"
    return message, f"nearest: '{near.text}'" if near else None


def _quoted(phrases: tuple[str, ...]) -> str:
    return ", ".join(f"'{phrase}'" for phrase in phrases)

"""L2: the expected pages are cited, and their stored text says what they are cited for.

A page is looked up by fetch key. Its text must hold one of the case's phrases, in normal form and
as whole words; where the expected URL names a verse or paragraph, it must hold it there. Likeness
never passes: it only finds the passage to show.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from jw_eval_store.domain.cases import CitationCase
from jw_eval_store.domain.evaluations import LayerResult, ReasonCode
from jw_eval_store.domain.evidence import Evidence, Origin
from jw_eval_store.domain.expectations import ExpectedCitation
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.layers.cited import findings_citing, not_cited
from jw_eval_store.layers.interface import decided, undecided
from jw_eval_store.text.anchors import Anchor
from jw_eval_store.text.claims import claim_difference
from jw_eval_store.text.passages import SearchableText, searchable
from jw_eval_store.text.phrases import nearest_passage
from jw_eval_store.text.urls import CitationUrl, parse_url

LAYER_VERSION = "1"


@dataclass(frozen=True)
class _Checked:
    """One expected citation: reasons against it, or why it can't be decided."""

    failures: tuple[str, ...]
    undecided: tuple[ReasonCode, str] | None
    details: dict[str, JsonValue]


def evaluate(
    case: CitationCase,
    output: AgentOutput,
    evidence: Mapping[str, Evidence],
    allowed_origins: Collection[Origin],
) -> LayerResult:
    """Judge one output against one L2 case. `evidence` is by fetch key.

    Evidence that is missing, or of an origin that does not count, is an error and never a skip,
    whatever else is right or wrong. `details.citations` tell, for each expected URL, the findings
    that cite it, the origin of the evidence, and the phrase found with the anchors it stands at.
    """
    checked = [
        _check(case, citation, output, evidence, allowed_origins)
        for citation in case.expected.expected_citations
    ]
    failures = [failure for one in checked for failure in one.failures]
    open_questions = [one.undecided for one in checked if one.undecided]
    details: dict[str, JsonValue] = {"citations": [one.details for one in checked]}
    if open_questions:
        reasons = [reason for _, reason in open_questions]
        return undecided(case, "l2", open_questions[0][0], [*reasons, *failures], details)
    return decided(case, "l2", failures, details)


def _check(
    case: CitationCase,
    citation: ExpectedCitation,
    output: AgentOutput,
    evidence: Mapping[str, Evidence],
    allowed: Collection[Origin],
) -> _Checked:
    citing = findings_citing(output, citation.url)
    failures = () if citing else (not_cited(output, citation.url),)
    expected = parse_url(citation.url)
    details: dict[str, JsonValue] = {"url": citation.url, "findings": list(citing)}
    page = evidence.get(expected.fetch_key)
    if page is None:
        return _Checked(failures, ("evidence_missing", _missing(expected)), details)
    details["origin"] = page.origin
    if page.origin not in allowed:
        return _Checked(failures, ("evidence_origin", _wrong_origin(page, allowed)), details)
    text, phrases = searchable(page), case.expected.phrases_for(citation)
    found = next((phrase for phrase in phrases if text.holds(phrase, expected.anchor)), None)
    if found is None:
        unsupported = _unsupported(text, phrases, expected, case.language)
        return _Checked((*failures, unsupported), None, details)
    details |= {"phrase": found, "passages": list(text.passages_of(found, expected.anchor))}
    return _Checked(failures, None, details)


def _missing(expected: CitationUrl) -> str:
    return (
        f"no evidence for {expected.fetch_key}: build it (jw-eval snapshots build --missing) or "
        f"import a saved page (jw-eval snapshots import FILE --url {expected.fetch_key})"
    )


def _wrong_origin(page: Evidence, allowed: Collection[Origin]) -> str:
    return (
        f"the evidence for {page.fetch_key} is {page.origin}, and only "
        f"{' or '.join(allowed) or 'nothing'} counts: capture the page, or allow it in policy.yaml "
        f"(origins)"
    )


def _unsupported(
    text: SearchableText, phrases: tuple[str, ...], expected: CitationUrl, language: str
) -> str:
    """Why the evidence counts as not saying it, with the nearest passage."""
    wanted = " or ".join(f"“{phrase}”" for phrase in phrases)
    where = f" at {expected.anchor}" if expected.anchor else ""
    reason = f"{expected.fetch_key} does not hold {wanted}{where}"
    elsewhere = expected.anchor and [a for phrase in phrases for a in text.passages_of(phrase) if a]
    if elsewhere:
        return f"{reason}; it stands at {', '.join(dict.fromkeys(elsewhere))}"
    if expected.anchor and not text.within(expected.anchor):
        return f"{reason}; the evidence has no such passage"
    return f"{reason}; {_nearest(text, phrases, expected.anchor, language)}"


def _nearest(
    text: SearchableText, phrases: tuple[str, ...], anchor: Anchor | None, language: str
) -> str:
    """The passage most like any of the phrases, and how it differs in what it claims."""
    passages = text.within(anchor)
    located = [(phrase, nearest_passage(passages, phrase)) for phrase in phrases]
    best = max(located, key=lambda pair: pair[1].score if pair[1] else -1.0)
    if best[1] is None:
        return "the evidence has no text"
    name = f" {best[1].passage.anchor}" if best[1].passage.anchor else ""
    difference = claim_difference(best[0], best[1].text, language)
    changed = f" ({difference})" if difference else ""
    return f"nearest passage{name}: “{best[1].text}”, {best[1].score:.0f} % alike{changed}"

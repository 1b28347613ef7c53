"""L1: the answer has the expected structure. Deterministic: no model, network or evidence.

Each rule gives its reasons against the answer; no reason at all is a pass. Findings are numbered
from 1. A rule that found nothing to look at is not met: an empty answer can't be a good one unless
the case itself allows no findings (`min_findings: 0` or `max_findings: 0`). A finding without text
says nothing, so it does not help to reach `min_findings`.
"""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.domain.cases import StructuralCase
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.expectations import StructuralExpectation
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.layers.interface import decided
from jw_eval_store.layers.source_order import first_seen, order_problems
from jw_eval_store.text.normal import normal
from jw_eval_store.text.phrases import contains
from jw_eval_store.text.plurals import plural
from jw_eval_store.text.urls import parse_url

LAYER_VERSION = "2"


def evaluate(case: StructuralCase, output: AgentOutput) -> LayerResult:
    """Judge one output against one L1 case; `details` tell the sources and counts."""
    sources = [finding.source for finding in output.findings]
    reasons = [reason for rule in _RULES for reason in rule(case.expected, output)]
    return decided(
        case,
        "l1",
        reasons,
        {
            "findings": len(output.findings),
            "warnings": len(output.warnings),
            "sources": list(first_seen(sources)),
        },
    )


def _counts(expected: StructuralExpectation, output: AgentOutput) -> Iterator[str]:
    found, least, most = len(output.findings), expected.min_findings, expected.max_findings
    told = sum(map(bool, _texts(output)))
    if least is not None and told < least:
        blank = f" with text ({found - told} blank)" if told < found else ""
        yield f"{plural(told, 'finding')}{blank}, at least {least} expected"
    if most is not None and found > most:
        yield f"{plural(found, 'finding')}, at most {most} expected"
    warned, limit = len(output.warnings), expected.max_warnings
    if limit is not None and warned > limit:
        shown = "; ".join(output.warnings[:3])
        yield f"{plural(warned, 'warning')}, at most {limit} expected: {shown}"


def _sources(expected: StructuralExpectation, output: AgentOutput) -> Iterator[str]:
    sources = [finding.source for finding in output.findings]
    yield from order_problems(expected, sources)
    for wanted in expected.must_have_source:
        if wanted not in sources:
            there = ", ".join(first_seen(sources)) or "none"
            yield f"no finding of source {wanted} (there: {there})"


def _citations(expected: StructuralExpectation, output: AgentOutput) -> Iterator[str]:
    if not expected.must_have_citation:
        return
    if not output.findings:
        yield "no findings, so nothing is cited"
    for number, finding in enumerate(output.findings, 1):
        url = finding.citation.url.strip()
        if not url:
            label = finding.citation.title or finding.citation.kind
            yield f"finding {number} cites no URL" + (
                f", only the label {label!r}" if label else ""
            )
        elif not parse_url(url).host:
            yield f"finding {number} cites {url!r}, which is no web address"


def _hosts(expected: StructuralExpectation, output: AgentOutput) -> Iterator[str]:
    if not expected.citation_hosts:
        return
    allowed = {parse_url(f"https://{host.strip()}").host for host in expected.citation_hosts}
    cited = [
        (number, finding.citation.url)
        for number, finding in enumerate(output.findings, 1)
        if finding.citation.url.strip()
    ]
    if not cited and not _may_be_empty(expected, output):
        yield "no finding cites a URL, so no host could be checked"
    for number, url in cited:
        if parse_url(url).host not in allowed:
            yield (
                f"finding {number} cites {url}, whose host is none of "
                f"{', '.join(expected.citation_hosts)}"
            )


def _forbidden(expected: StructuralExpectation, output: AgentOutput) -> Iterator[str]:
    if not expected.forbidden_keywords_in_findings:
        return
    if not output.findings and not _may_be_empty(expected, output):
        yield "no findings, so no text could be searched for forbidden keywords"
    for number, text in enumerate(_texts(output), 1):
        if not text:
            yield f"finding {number} has no text to search for forbidden keywords"
        for keyword in expected.forbidden_keywords_in_findings:
            if contains(text, keyword):
                yield f"finding {number} holds the forbidden keyword {keyword!r}"


def _required(expected: StructuralExpectation, output: AgentOutput) -> Iterator[str]:
    wanted = expected.required_keywords_any
    if wanted and not any(contains(text, word) for text in _texts(output) for word in wanted):
        yield f"no finding holds any of the keywords {', '.join(map(repr, wanted))}"


_RULES = (_counts, _sources, _citations, _hosts, _forbidden, _required)


def _texts(output: AgentOutput) -> list[str]:
    """The findings' texts in normal form."""
    return [normal(finding.content) for finding in output.findings]


def _may_be_empty(expected: StructuralExpectation, output: AgentOutput) -> bool:
    """Whether there are no findings and the case says in so many words that this is right."""
    return not output.findings and 0 in (expected.min_findings, expected.max_findings)

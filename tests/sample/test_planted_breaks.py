"""Each bundled case turns red where its agent's answer, or the evidence, is damaged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from jw_eval_store.domain.cases import CitationCase, StructuralCase
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.evidence import ORIGINS, Evidence, Origin, Passage
from jw_eval_store.domain.outputs import AgentOutput, Citation, Finding
from jw_eval_store.layers import citations, structural
from jw_eval_store.pages.reading import load_snapshots
from jw_eval_store.resources import bundled
from jw_eval_store.sample import AGENTS
from jw_eval_store.text.urls import is_same_page, parse_url

if TYPE_CHECKING:
    from tests.sample.conftest import Case

Break = Callable[[AgentOutput], AgentOutput]
Evidences = Mapping[str, Evidence]


def with_findings(output: AgentOutput, findings: list[Finding]) -> AgentOutput:
    return output.model_copy(update={"findings": tuple(findings)})


def changed_urls(output: AgentOutput, change: Callable[[str], str]) -> AgentOutput:
    def moved(finding: Finding) -> Finding:
        citation = finding.citation.model_copy(update={"url": change(finding.citation.url)})
        return finding.model_copy(update={"citation": citation})

    return with_findings(output, [moved(finding) for finding in output.findings])


def finds_nothing(output: AgentOutput) -> AgentOutput:
    return with_findings(output, [])


def loses_its_last_url(output: AgentOutput) -> AgentOutput:
    *kept, last = output.findings
    bare = last.model_copy(update={"citation": Citation(title="Juan 3:16", kind="verse")})
    return with_findings(output, [*kept, bare])


def loses_its_text(output: AgentOutput) -> AgentOutput:
    blank = {"summary": "…", "excerpt": ""}
    return with_findings(output, [f.model_copy(update=blank) for f in output.findings])


def cites_a_mirror(output: AgentOutput) -> AgentOutput:
    return changed_urls(output, lambda url: url.replace("wol.jw.org", "wol.jw.org.example.net"))


def turns_its_order_round(output: AgentOutput) -> AgentOutput:
    return with_findings(output, list(reversed(output.findings)))


def warns(output: AgentOutput) -> AgentOutput:
    return output.model_copy(update={"warnings": ("the index did not answer",)})


def finds_more(output: AgentOutput) -> AgentOutput:
    return with_findings(output, [*output.findings] * 3)


def keeps(count: int) -> Break:
    return lambda output: with_findings(output, list(output.findings[:count]))


def says(words: str) -> Break:
    def changed(output: AgentOutput) -> AgentOutput:
        first, *others = output.findings
        excerpt = f"{first.excerpt} {words}."
        return with_findings(output, [first.model_copy(update={"excerpt": excerpt}), *others])

    return changed


def loses(source: str) -> Break:
    return lambda output: with_findings(output, [f for f in output.findings if f.source != source])


EVERY_L1: dict[str, Break] = {
    "finds nothing": finds_nothing,
    "loses its last URL": loses_its_last_url,
    "loses its text": loses_its_text,
}
L1_BREAKS: dict[str, dict[str, Break]] = {
    "l1_apologetics_trinity_es": {
        "puts the topic index last": turns_its_order_round,
        "loses the topic index": loses("topic_index"),
        "sounds unsure": says("podría ser"),
        "cites a mirror": cites_a_mirror,
    },
    "l1_apologetics_hell_with_reference_en": {
        "overlooks the verse asked about": loses("question_refs"),
        "teaches torment": says("They burn for ever"),
        "warns": warns,
    },
    "l1_apologetics_gods_name_pt": {
        "breaks the priority of sources": turns_its_order_round,
        "loses the study note": loses("study_note"),
        "speaks of something else too": says("Trinidad"),
    },
    "l1_verse_explainer_john_3_16": {
        "puts cross references first": turns_its_order_round,
        "loses the study note": loses("study_note"),
    },
    "l1_verse_explainer_ecclesiastes_9_5_es": {
        "loses the verse": loses("target_verse"),
        "loses the cross references": loses("cross_ref"),
    },
    "l1_verse_explainer_john_5_28_29_pt": {
        "explains half of it": keeps(1),
        "adds what was not asked": finds_more,
    },
    "l1_research_topic_kingdom_es": {
        "puts verses first": turns_its_order_round,
        "loses the verses": loses("verse"),
    },
    "l1_research_topic_resurrection_en": {
        "loses the entry": loses("topic_subject"),
        "teaches an immortal soul": says("The immortal soul lives on"),
    },
    "l1_research_topic_soul_pt": {
        "puts verses first": turns_its_order_round,
        "teaches survival": says("A alma sobrevive à morte"),
        "finds too much": finds_more,
    },
    "l1_meeting_helper_matthew_24_14_es": {
        "comments three times": finds_more,
        "loses the comment": loses("suggest_comment"),
    },
    "l1_meeting_helper_paradise_verses_en": {"overlooks the last verse": keeps(2)},
    "l1_meeting_helper_prayer_pt": {
        "sounds unsure": says("Talvez"),
        "suggests one comment only": keeps(1),
    },
}


@pytest.fixture(scope="session")
def evidence() -> Evidences:
    found, _ = load_snapshots(bundled("snapshots"))
    return {snapshot.entry.fetch_key: snapshot.evidence for snapshot in found}


def is_red(result: LayerResult) -> bool:
    return result.verdict in ("fail", "error") and bool(result.reasons)


def test_every_l1_case_passes(l1_case: StructuralCase, outputs: dict[str, AgentOutput]) -> None:
    result = structural.evaluate(l1_case, outputs[l1_case.id])
    assert (result.verdict, result.reasons) == ("pass", ())


def test_every_l1_case_turns_red_by_each_of_its_breaks(
    l1_case: StructuralCase, outputs: dict[str, AgentOutput]
) -> None:
    for name, damage in (EVERY_L1 | L1_BREAKS[l1_case.id]).items():
        assert is_red(structural.evaluate(l1_case, damage(outputs[l1_case.id]))), name


def constant_answers(agent: str, outputs: Mapping[str, AgentOutput]) -> Iterator[AgentOutput]:
    """What an agent could say to everything: one good answer, all of them at once, canned."""
    own = [output for output in outputs.values() if output.agent_name == agent]
    yield from own
    structural_ones = [outputs[name] for name in L1_BREAKS if outputs[name].agent_name == agent]
    for order in permutations(structural_ones):
        everything = [finding for output in order for finding in output.findings]
        yield AgentOutput(findings=tuple(everything))
        yield AgentOutput(findings=tuple(sorted(everything, key=lambda f: str(f.source))))
    yield AgentOutput()
    for source in dict.fromkeys(finding.source for output in own for finding in output.findings):
        citation = Citation(url="https://wol.jw.org/en/wol/h/r1/lp-e", kind=str(source))
        canned = Finding(summary="God is love; Dios es amor.", citation=citation)
        yield AgentOutput(findings=(canned,) * 5)


@pytest.mark.parametrize("agent", AGENTS)
def test_no_constant_answer_passes_more_than_one_l1_case(
    agent: str, cases: dict[str, Case], outputs: dict[str, AgentOutput]
) -> None:
    own = [c for c in cases.values() if isinstance(c, StructuralCase) and c.agent == agent]
    assert len(own) == 3
    for answer in constant_answers(agent, outputs):
        passed = [c.id for c in own if structural.evaluate(c, answer).verdict == "pass"]
        assert len(passed) <= 1, passed


def judged(case: CitationCase, output: AgentOutput, evidence: Evidences) -> LayerResult:
    return citations.evaluate(case, output, evidence, ORIGINS)


def test_every_l2_case_passes(
    l2_case: CitationCase, outputs: dict[str, AgentOutput], evidence: Evidences
) -> None:
    result = judged(l2_case, outputs[l2_case.id], evidence)
    assert (result.verdict, result.reasons) == ("pass", ())


def expected_urls(case: CitationCase) -> list[str]:
    return [citation.url for citation in case.expected.expected_citations]


def test_every_l2_case_turns_red_without_one_of_its_citations(
    l2_case: CitationCase, outputs: dict[str, AgentOutput], evidence: Evidences
) -> None:
    output = outputs[l2_case.id]
    for expected in expected_urls(l2_case):
        kept = [f for f in output.findings if not is_same_page(f.citation.url, expected)]
        assert is_red(judged(l2_case, with_findings(output, kept), evidence)), expected
        other = changed_urls(output, lambda url: re.sub(r"\d+(?=#|$)", "1", url, count=1))
        assert is_red(judged(l2_case, other, evidence)), expected


def test_every_l2_verse_case_turns_red_where_another_verse_is_cited(
    l2_case: CitationCase, outputs: dict[str, AgentOutput], evidence: Evidences
) -> None:
    anchored = [url for url in expected_urls(l2_case) if parse_url(url).anchor]
    if not anchored:
        assert l2_case.topic not in ("bible.john_3_16", "bible.romans_6_23", "bible.acts_4_12")
        return
    moved = changed_urls(outputs[l2_case.id], lambda url: url + "0")
    assert is_red(judged(l2_case, moved, evidence))


def altered(evidence: Evidences, key: str, change: Callable[[Passage], Passage]) -> Evidences:
    page = evidence[key]
    passages = tuple(map(change, page.passages))
    return {**evidence, key: Evidence(key, page.origin, passages)}


def contradicting(phrases: tuple[str, ...]) -> Callable[[Passage], Passage]:
    """Put a negation into each of the phrases, as an edited page might have it."""

    def change(passage: Passage) -> Passage:
        text = passage.text
        for phrase in phrases:
            first, rest = phrase.split(" ", 1)
            text = re.sub(
                re.escape(phrase), f"{first} não no not {rest}", text, flags=re.IGNORECASE
            )
        return Passage(passage.anchor, text)

    return change


def test_every_l2_case_turns_red_where_the_evidence_says_the_opposite(
    l2_case: CitationCase, outputs: dict[str, AgentOutput], evidence: Evidences
) -> None:
    for citation in l2_case.expected.expected_citations:
        key = parse_url(citation.url).fetch_key
        opposite = contradicting(l2_case.expected.phrases_for(citation))
        result = judged(l2_case, outputs[l2_case.id], altered(evidence, key, opposite))
        assert result.verdict == "fail"
        assert result.reasons


def test_every_l2_case_is_an_error_without_its_evidence(
    l2_case: CitationCase, outputs: dict[str, AgentOutput], evidence: Evidences
) -> None:
    for url in expected_urls(l2_case):
        less = {key: page for key, page in evidence.items() if key != parse_url(url).fetch_key}
        result = judged(l2_case, outputs[l2_case.id], less)
        assert (result.verdict, result.reason_code) == ("error", "evidence_missing")


def test_every_l2_case_is_an_error_where_authored_evidence_does_not_count(
    l2_case: CitationCase, outputs: dict[str, AgentOutput], evidence: Evidences
) -> None:
    strict: tuple[Origin, ...] = ("captured", "imported")
    result = citations.evaluate(l2_case, outputs[l2_case.id], evidence, strict)
    assert (result.verdict, result.reason_code) == ("error", "evidence_origin")

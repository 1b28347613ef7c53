"""L1 is red for every broken rule, and an empty answer is never a good one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.cases import StructuralCase, parse_case
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.outputs import AgentOutput, Citation, Finding
from jw_eval_store.layers.structural import LAYER_VERSION, evaluate
from tests.layers.toolkit_shape import WOL, finding, output


def judge(answer: AgentOutput, **expected: Any) -> LayerResult:
    case = parse_case(
        {"id": "c", "agent": "apologetics", "layer": "l1", "input": {"question": "¿?"}}
        | {"expected": expected}
    )
    assert isinstance(case, StructuralCase)
    return evaluate(case, answer)


def reason(answer: AgentOutput, **expected: Any) -> str:
    result = judge(answer, **expected)
    assert result.verdict == "fail"
    assert result.layer == "l1"
    assert result.score is None
    return "\n".join(result.reasons)


def test_the_specified_case_passes_on_a_healthy_answer() -> None:
    answer = output(
        finding("La Trinidad no aparece en la Biblia", "topic_index"),
        finding("Juan 14:28", "verse_text"),
        finding("Colosenses 1:15", "verse_text"),
    )
    result = judge(
        answer,
        min_findings=3,
        sources_in_order=["topic_index", "verse_text"],
        must_have_source="topic_index",
        must_have_citation=True,
        forbidden_keywords_in_findings=["supuestamente", "podría ser"],
    )
    assert (result.verdict, result.reasons) == ("pass", ())
    assert result.details["sources"] == ["topic_index", "verse_text"]
    assert LAYER_VERSION


def test_counts_of_findings_and_warnings_are_limits() -> None:
    two = output(finding(), finding(), warnings=("lento", "caído"))
    assert judge(two, min_findings=2, max_findings=2, max_warnings=2).verdict == "pass"
    assert reason(two, min_findings=3) == "2 findings, at least 3 expected"
    assert reason(two, max_findings=1) == "2 findings, at most 1 expected"
    assert "2 warnings, at most 0 expected: lento; caído" in reason(two, max_warnings=0)


@pytest.mark.parametrize("blank", ["", " \n", "\u200b\ufeff"])
def test_a_finding_without_text_is_none_of_those_wanted(blank: str) -> None:
    said = Finding(summary="God so loved the world")
    answer = AgentOutput(findings=(Finding(summary=blank, excerpt=blank), said))
    assert judge(answer, min_findings=1, max_findings=2).verdict == "pass"
    assert reason(answer, min_findings=2) == "1 finding with text (1 blank), at least 2 expected"
    assert reason(answer, max_findings=1) == "2 findings, at most 1 expected"


@pytest.mark.parametrize("where", ["summary", "excerpt"])
def test_a_forbidden_keyword_is_found_wherever_people_read_it(where: str) -> None:
    bad = finding(**{where: "Esto PODRI\u0301A\u00a0ser, su\u00adpuestamente, así"})
    words = ["supuestamente", "podría ser"]
    found = reason(output(finding(), bad), forbidden_keywords_in_findings=words)
    assert "finding 2 holds the forbidden keyword 'supuestamente'" in found
    assert "finding 2 holds the forbidden keyword 'podría ser'" in found


def test_a_forbidden_keyword_is_a_whole_word() -> None:
    assert (
        judge(output(finding("de noche")), forbidden_keywords_in_findings=["no"]).verdict == "pass"
    )


def test_the_specifications_text_field_counts_as_well() -> None:
    answer = AgentOutput(findings=(Finding(text="supuestamente"),))
    assert "finding 1" in reason(answer, forbidden_keywords_in_findings=["supuestamente"])


def test_findings_without_any_text_are_not_taken_for_clean() -> None:
    answer = output(finding("", excerpt=" \u200b"))
    assert "finding 1 has no text" in reason(answer, forbidden_keywords_in_findings=["x"])


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "finding 2 cites no URL, only the label 'Razonamiento'"),
        ("  ", "finding 2 cites no URL"),
        ("Juan 3:16", "no web address"),
        ("/es/wol/b/r4", "no web address"),
    ],
)
def test_a_label_is_no_citation(url: str, words: str) -> None:
    labelled = finding(source="topic_index", url=url, title="Razonamiento", kind="article")
    assert words in reason(output(finding(), labelled), must_have_citation=True)


@pytest.mark.parametrize(
    "expected",
    [
        {"must_have_citation": True},
        {"must_have_citation": True, "min_findings": 0},
        {"must_have_source": "rag"},
        {"sources_in_order": ["rag"]},
        {"sources_in_order": ["rag"], "sources_order": "first_seen"},
        {"sources_order": "priority"},
        {"citation_hosts": ["wol.jw.org"]},
        {"forbidden_keywords_in_findings": ["x"]},
        {"required_keywords_any": ["x"]},
        {"min_findings": 1},
    ],
)
def test_an_answer_without_findings_does_not_pass(expected: dict[str, Any]) -> None:
    assert reason(output(), **expected)


def test_no_findings_pass_where_the_case_asks_for_none() -> None:
    assert judge(output(), max_findings=0).verdict == "pass"
    allowed = judge(output(), min_findings=0, forbidden_keywords_in_findings=["x"])
    assert allowed.verdict == "pass"


def test_sources_of_every_agent_count() -> None:
    kinds = output(
        finding("a", kind="verse"),
        finding("b", "question_refs", kind="verse"),
    )
    assert judge(kinds, must_have_source=["verse", "question_refs"]).verdict == "pass"
    assert "no finding of source rag (there: verse, question_refs)" in reason(
        kinds, must_have_source=["verse", "rag"]
    )


HEALTHY = [
    "topic_index_candidate", "topic_index", "topic_index_entry", "question_refs", "verse_text",
    "study_note", "question_refs", "verse_text", "study_note", "cdn_search",
]  # fmt: skip


def of(*sources: str) -> AgentOutput:
    return output(*(finding(source=source) for source in sources))


def test_the_prefix_is_exact_and_from_the_start() -> None:
    assert judge(of("a", "b", "c"), sources_in_order=["a", "b"]).verdict == "pass"
    assert "b > a, expected a > b" in reason(of("b", "a"), sources_in_order=["a", "b"])
    assert "a, expected a > b" in reason(of("a"), sources_in_order=["a", "b"])
    assert "(no source)" in reason(output(finding()), sources_in_order=["a"])


def test_first_appearances_may_repeat_and_have_others_between() -> None:
    wanted = ["question_refs", "study_note", "cdn_search"]
    assert (
        judge(of(*HEALTHY), sources_in_order=wanted, sources_order="first_seen").verdict == "pass"
    )
    swapped = ["cdn_search", "question_refs"]
    assert "expected cdn_search > question_refs" in reason(
        of(*HEALTHY), sources_in_order=swapped, sources_order="first_seen"
    )
    assert "no finding of source rag" in reason(
        of(*HEALTHY), sources_in_order=[*wanted, "rag"], sources_order="first_seen"
    )


def test_priority_follows_the_documented_order_of_first_appearances() -> None:
    assert judge(of(*HEALTHY), sources_order="priority").verdict == "pass"
    assert (
        judge(of("topic_index_entry", "topic_index", "rag"), sources_order="priority").verdict
        == "pass"
    )
    assert "topic_index appears only after rag" in reason(
        of("rag", "topic_index"), sources_order="priority"
    )
    assert "no finding is of a source with a documented priority" in reason(
        of("target_verse"), sources_order="priority"
    )
    assert "no finding of source rag" in reason(
        of("topic_index"), sources_order="priority", sources_in_order=["rag"]
    )


@pytest.mark.parametrize(
    "url",
    [
        WOL.replace("wol.jw.org", "wol.jw.org.example.net"),
        WOL.replace("wol.jw.org", "m.wol.jw.org"),
        WOL.replace("wol.jw.org", "wol.jw.org@example.net"),
        WOL.replace("wol.jw.org", "example.net/wol.jw.org"),
        "Atalaya",
    ],
)
def test_hosts_are_compared_exactly(url: str) -> None:
    answer = output(finding(), finding(url=url))
    assert "finding 2 cites" in reason(answer, citation_hosts=["wol.jw.org"])


def test_a_host_of_the_list_passes_whatever_its_case_and_labels_are_not_hosts_matter() -> None:
    answer = output(finding(url=WOL.replace("wol.jw.org", "WOL.JW.ORG")), finding(url=""))
    assert judge(answer, citation_hosts=["www.jw.org", "Wol.jw.org"]).verdict == "pass"
    assert "no finding cites a URL" in reason(
        output(finding(url="")), citation_hosts=["wol.jw.org"]
    )


def test_any_required_keyword_is_enough_and_none_is_not() -> None:
    answer = output(finding("Dios", excerpt="amó tanto al mundo"))
    assert judge(answer, required_keywords_any=["odió", "Amó  tanto"]).verdict == "pass"
    assert "any of the keywords 'odió'" in reason(answer, required_keywords_any=["odió"])


def test_every_broken_rule_is_named() -> None:
    result = judge(
        output(finding(url="")), min_findings=2, must_have_citation=True, must_have_source="rag"
    )
    assert len(result.reasons) == 3


@given(st.lists(st.builds(Finding, text=st.text(), citation=st.builds(Citation, url=st.text()))))
def test_any_output_is_judged_and_alike_each_time(findings: list[Finding]) -> None:
    answer = AgentOutput(findings=tuple(findings))
    expected = {"must_have_citation": True, "citation_hosts": ["wol.jw.org"],
                "forbidden_keywords_in_findings": ["x"], "sources_order": "priority"}  # fmt: skip
    assert judge(answer, **expected) == judge(answer, **expected)
    assert judge(answer, **expected).verdict == "fail"

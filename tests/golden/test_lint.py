"""Lint rules: each speaks at its line, is silent on sound cases, and can be switched off."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.domain.cases import SemanticCase, parse_case
from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.golden.folders import read_folder
from jw_eval_store.golden.lint import RULES, LintFinding, lint
from jw_eval_store.golden.reading import ReadCase, read_case
from jw_eval_store.text.urls import parse_url

PAGE = "https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3"
HEAD = "id: {id}\nagent: echo\ninput:\n  q: {id}\n"
L1 = HEAD + "expected:\n  min_findings: 1\n"
L2 = HEAD + f"expected_citations:\n  - {PAGE}\nsupport_phrases:\n  - God so loved\n"
L3 = HEAD + "golden_answer: The soul dies.\n"


def _read(layer: Any, text: str, case_id: str = "one") -> ReadCase:
    read = read_case(f"{layer}/{case_id}.yaml", text.replace("{id}", case_id).encode(), layer)
    assert isinstance(read, ReadCase), read
    return read


def _said(found: Iterable[LintFinding]) -> list[tuple[str, int | None, str]]:
    return [(finding.rule, finding.line, finding.severity) for finding in found]


def _evidence(*passages: tuple[str, str]) -> dict[str, Evidence]:
    key = parse_url(PAGE).fetch_key
    return {key: Evidence(key, "authored", tuple(Passage(*passage) for passage in passages))}


@pytest.mark.parametrize(("layer", "text"), [("l1", L1), ("l2", L2), ("l3", L3)])
def test_a_sound_case_is_silent(layer: str, text: str) -> None:
    assert lint([_read(layer, text)]) == []


WRONG = [
    # layer, text, what is said: rule, line, severity
    ("l1", L1 + "  required_keywords_any: [the Soul]\n  forbidden_keywords_in_findings: [soul]\n",
     ("keyword-contradiction", 7, "error")),
    ("l3", L3 + "expected_keywords_any: [is mortal, dies]\nexpected_keywords_none: [Mortal]\n",
     ("keyword-contradiction", 6, "error")),
    ("l3", L3 + "expected_keywords_none: [the  SOUL]\n", ("golden-has-forbidden", 5, "error")),
    ("l3", L3 + "expected_keywords_any: [mortal]\n", ("golden-lacks-required", 6, "warning")),
    ("l1", L1 + "  sources_in_order: [a, b]\n", ("findings-below-sources", 6, "warning")),
    ("l1", HEAD + "expected:\n  max_findings: 1\n  sources_in_order: [a, b]\n",
     ("findings-below-sources", 6, "error")),
    ("l1", HEAD + "expected:\n  max_findings: 0\n  must_have_citation: true\n",
     ("findings-below-sources", 6, "error")),
    ("l1", HEAD + "expected:\n  min_findings: 3\n  max_findings: 2\n",
     ("thresholds-upside-down", 6, "error")),
    ("l3", L3 + "judge:\n  threshold_review_max: 0.4\n", ("thresholds-upside-down", 7, "error")),
    ("l3", L3 + "judge:\n  threshold_review_max: 0.7\n", ("thresholds-upside-down", 7, "warning")),
    ("l1", L1 + "  sources_order: first_seen\n", ("cannot-fail", 7, "warning")),
    ("l1", HEAD + "expected:\n  forbidden_keywords_in_findings: [perhaps]\n",
     ("empty-answer-passes", 5, "warning")),
    ("l3", L3 + "counter_answers:\n  - the SOUL dies.\n", ("conflicting-expectations", 7, "error")),
    ("l1", L1 + "lint:\n  cannot-fial: because\n", ("unknown-lint-rule", 8, "error")),
    ("l1", L1 + "lint:\n  cannot-fail: because\n", ("unused-lint-switch", 8, "warning")),
]  # fmt: skip


@pytest.mark.parametrize(("layer", "text", "said"), WRONG)
def test_a_rule_speaks_at_its_line(layer: str, text: str, said: tuple[str, int, str]) -> None:
    assert _said(lint([_read(layer, text)])) == [said]


@pytest.mark.parametrize(("layer", "text", "said"), WRONG[:-2])
def test_each_rule_is_switched_off_with_a_reason(
    layer: str, text: str, said: tuple[str, int, str]
) -> None:
    assert lint([_read(layer, f"{text}lint:\n  {said[0]}: it is meant\n")]) == []


@pytest.mark.parametrize(
    ("expected", "rule"),
    [
        ({"min_findings": 0}, "cannot-fail"),
        ({"min_findings": 1, "forbidden_keywords_in_findings": ["¿"]}, "unsearchable-phrase"),
    ],
)
def test_a_case_of_before_the_reader_refused_it_is_an_error(expected: Any, rule: str) -> None:
    case = parse_case(
        {"id": "old", "agent": "echo", "layer": "l1", "input": {"q": "x"}, "expected": expected}
    )
    assert _said(lint([ReadCase(case, b"")])) == [(rule, None, "error")]


@pytest.mark.parametrize(
    "metadata", [{"topic": 1.1}, {"topic": True}, {"tags": 3}, {"tags": [True]}]
)
def test_what_the_reader_refuses_to_count_by_is_an_error(metadata: Any) -> None:
    case = _read("l1", L1).case.model_copy(update={"metadata": metadata})
    assert _said(lint([ReadCase(case, b"")])) == [("uncounted", None, "error")]


@pytest.mark.parametrize("metadata", [{"topic": 1914, "tags": [1914, "soul"]}, {"tags": "soul"}])
def test_a_whole_number_is_a_topic_or_tag_and_one_text_a_list(metadata: Any) -> None:
    case = _read("l1", L1).case.model_copy(update={"metadata": metadata})
    assert lint([ReadCase(case, b"")]) == []


@pytest.mark.parametrize("case_id", ["CON", "nul", "com1.soul", "l1_soul."])
def test_an_id_that_is_no_name_for_a_file_everywhere_is_said(case_id: str) -> None:
    case = _read("l1", L1, case_id)
    assert _said(lint([case])) == [("unfit-id", 1, "warning")]


def test_ids_that_are_alike_but_for_case_are_said_once() -> None:
    cases = [_read("l1", L1, name) for name in ("l1_soul", "L1_Soul", "console", "com", "nul_1")]
    assert [(f.case_id, f.rule) for f in lint(cases)] == [("L1_Soul", "unfit-id")]


def test_an_answer_that_must_be_empty_may_be_empty() -> None:
    assert lint([_read("l1", HEAD + "expected:\n  max_findings: 0\n")]) == []


def test_keywords_count_as_whole_words() -> None:
    text = L3 + "expected_keywords_none: [sou]\n"
    assert lint([_read("l3", text)]) == []


def test_a_phrase_is_looked_up_in_its_evidence() -> None:
    case = _read("l2", L2)
    assert lint([case], evidence=_evidence(("v43:3:16", "For GOD  so loved the world"))) == []
    [finding] = lint([case], evidence=_evidence(("v43:3:16", "For God hated the world")))
    assert (finding.rule, finding.line, finding.severity) == ("phrase-not-in-evidence", 6, "error")
    assert "nearest" in (finding.hint or "")


def test_a_phrase_must_stand_at_the_anchor() -> None:
    evidence = _evidence(("v43:3:16", "For God so loved"), ("v43:3:17", "For God sent not"))
    for verse, said in (("16", []), ("17", ["phrase-not-in-evidence"])):
        text = L2.replace(PAGE, f"{PAGE}#v=43:3:{verse}")
        assert [f.rule for f in lint([_read("l2", text)], evidence=evidence)] == said


def test_one_of_several_phrases_that_is_nowhere_is_a_warning() -> None:
    text = L2 + "  - hated\n"
    evidence = _evidence(("v43:3:16", "For God so loved the world"))
    assert _said(lint([_read("l2", text)], evidence=evidence)) == [
        ("phrase-not-in-evidence", 9, "warning")
    ]


def test_an_l3_citation_with_phrases_is_looked_up_too() -> None:
    text = L3 + f"expected_citations:\n  - url: {PAGE}\n    phrases: [hated]\n"
    evidence = _evidence(("v43:3:16", "For God so loved the world"))
    assert [f.rule for f in lint([_read("l3", text)], evidence=evidence)] == [
        "phrase-not-in-evidence"
    ]


def test_missing_evidence_is_said_only_where_evidence_is_known() -> None:
    assert lint([_read("l2", L2)]) == []
    assert _said(lint([_read("l2", L2)], evidence={})) == [("evidence-missing", 6, "warning")]


def test_an_unknown_agent_is_said_with_the_nearest() -> None:
    [finding] = lint([_read("l1", L1)], agents=["echoes", "apologetics"])
    assert (finding.rule, finding.line) == ("unknown-agent", 2)
    assert finding.hint == "did you mean 'echoes'?"
    assert lint([_read("l1", L1)], agents=["echo"]) == []


def test_an_unsound_graph_is_said_by_whoever_knows_graphs() -> None:
    text = L3 + "judge:\n  strategy: graph\n  pass_at: 0.5\n  graph: mine.yaml\n"

    def problems(case: SemanticCase, path: str) -> list[str]:
        return [f"{path}: {case.judge.graph} has no end"]

    [finding] = lint([_read("l3", text)], graph_problems=problems)
    assert (finding.rule, finding.line) == ("unsound-graph", 9)
    assert finding.message == "l3/one.yaml: mine.yaml has no end"
    assert lint([_read("l3", text)]) == []


def test_a_duplicate_id_names_the_other_file() -> None:
    one, two = _read("l1", L1), read_case("l1/two.yaml", L1.replace("{id}", "one").encode(), "l1")
    assert isinstance(two, ReadCase)
    [finding] = lint([one, two])
    assert (finding.path, finding.line, finding.rule) == ("l1/two.yaml", 1, "duplicate-id")
    assert "l1/one.yaml" in finding.message


@pytest.mark.parametrize(
    ("layer", "one", "two", "severity"),
    [
        ("l1", "expected: {min_findings: 3}",
         "expected: {max_findings: 2, must_have_source: a}", "error"),
        ("l1", "expected: {required_keywords_any: [a]}",
         "expected: {min_findings: 1, forbidden_keywords_in_findings: [a]}", "error"),
        ("l3", "golden_answer: yes it is", "golden_answer: no\ncounter_answers: [Yes it is]",
         "error"),
        ("l1", "expected: {min_findings: 3}", "expected: {min_findings: 2}", "warning"),
    ],
)  # fmt: skip
def test_the_same_question_twice_is_said(layer: str, one: str, two: str, severity: str) -> None:
    head = "agent: echo\ninput: {q: x}\n"
    cases = [_read(layer, f"id: {n}\n{head}{body}\n", n) for n, body in (("a", one), ("b", two))]
    assert _said(lint(cases)) == [("conflicting-expectations", 3, severity)]
    other = [cases[0], _read(layer, f"id: b\nagent: other\ninput: {{q: x}}\n{two}\n", "b")]
    assert lint(other) == []


def test_equal_golden_answers_and_those_found_similar_are_said() -> None:
    equal = L3.replace("The soul dies.", "the SOUL  dies.")
    unlike = L3.replace("The soul dies.", "It is mortal.")
    cases = [_read("l3", L3, "a"), _read("l3", equal, "b"), _read("l3", unlike, "c")]
    assert [(f.case_id, f.rule) for f in lint(cases)] == [("b", "near-duplicate")]

    def similar(texts: Sequence[str]) -> list[tuple[int, int, float]]:
        return [(0, 1, 1.0), (0, texts.index("It is mortal."), 0.97)]

    found = lint(cases, similar=similar)
    assert [(f.case_id, f.rule) for f in found] == [
        ("b", "near-duplicate"),
        ("c", "near-duplicate"),
    ]
    assert "'a'" in found[1].message
    assert "0.97" in found[1].message


def test_a_switch_for_what_was_not_checked_is_no_complaint() -> None:
    text = L2 + "lint:\n  phrase-not-in-evidence: page is being corrected\n"
    assert lint([_read("l2", text)]) == []
    evidence = _evidence(("v43:3:16", "For God hated the world"))
    assert lint([_read("l2", text)], evidence=evidence) == []


def test_every_rule_is_described_and_tested() -> None:
    tested = {said[0] for _, _, said in WRONG} | {
        "unsearchable-phrase",
        "phrase-not-in-evidence", "evidence-missing", "unknown-agent", "unsound-graph",
        "duplicate-id", "near-duplicate", "old-evidence", "old-recording", "unfit-id",
        "uncounted",
    }  # fmt: skip
    assert set(RULES) == tested
    assert all(rule.description.endswith(".") for rule in RULES.values())


def test_the_specified_l3_case_lacks_its_required_keywords() -> None:
    cases, refused = read_folder(Path(__file__).parent / "specified")
    assert not refused
    found = lint(cases)
    assert [(f.case_id, f.rule) for f in found] == [
        ("l3_apologetics_trinity_basic_es", "golden-lacks-required")
    ]

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.golden.folders import read_folder
from jw_eval_store.golden.lint import lint
from jw_eval_store.golden.policy_file import read_policy
from jw_eval_store.layers.constant import Answered, answer_hash, equal_outputs
from jw_eval_store.pages.reading import load_snapshots
from jw_eval_store.resources import bundled
from jw_eval_store.sample import AGENTS
from jw_eval_store.text.phrases import find_keywords

if TYPE_CHECKING:
    from tests.sample.conftest import Case


def test_the_specified_number_of_cases_is_bundled(cases: dict[str, Case]) -> None:
    assert Counter(case.layer for case in cases.values()) == {"l1": 12, "l2": 16, "l3": 6}
    by_agent = Counter(case.agent for case in cases.values() if case.layer == "l1")
    assert by_agent == dict.fromkeys(AGENTS, 3)


def test_the_three_verses_are_there_in_three_languages_and_a_sign_language(
    cases: dict[str, Case],
) -> None:
    verses = Counter(
        (case.topic, case.language)
        for case in cases.values()
        if case.layer == "l2" and str(case.topic).startswith("bible.")
    )
    topics = {topic for topic, _ in verses}
    assert topics == {"bible.john_3_16", "bible.romans_6_23", "bible.acts_4_12"}
    wanted = {(topic, lang) for topic in topics for lang in ("en", "es", "pt", "ase")}
    assert verses == dict.fromkeys(wanted, 1)


def test_the_six_core_doctrines_have_golden_answers(cases: dict[str, Case]) -> None:
    topics = {case.topic for case in cases.values() if case.layer == "l3"}
    names = ("trinity", "soul", "hell", "identity_of_christ", "gods_name", "earthly_hope")
    assert topics == {f"doctrine.{name}" for name in names}


def test_every_case_says_who_added_it_and_when(cases: dict[str, Case]) -> None:
    for case in cases.values():
        assert case.metadata["added_by"] == "jw-eval"
        assert str(case.metadata["added_at"]).count("-") == 2


def test_the_bundled_cases_meet_the_bundled_policy(cases: dict[str, Case]) -> None:
    policy = read_policy(bundled("seeds") / "policy.yaml")
    assert policy.coverage.keys() == AGENTS.keys()
    for agent, wanted in policy.coverage.items():
        own = [case for case in cases.values() if case.agent == agent]
        counts = Counter(case.layer for case in own)
        assert (counts["l1"], counts["l2"], counts["l3"]) >= (wanted.l1, wanted.l2, wanted.l3)
        assert all(counts[name] >= getattr(wanted, name) for name in ("l1", "l2", "l3"))
        assert set(wanted.languages) <= {case.language for case in own}
        assert set(wanted.topics) <= {case.topic for case in own}


def test_the_bundled_policy_gates_as_specified_and_allows_authored_evidence() -> None:
    policy = read_policy(bundled("seeds") / "policy.yaml")
    assert [policy.gate_of(layer).min_pass for layer in ("l1", "l2")] == [1.0, 0.98]
    assert not policy.gate_of("l3").blocking
    assert "authored" in policy.origins


def test_golden_and_given_answers_pass_the_keyword_gates(
    l3_case: SemanticCase, outputs: dict[str, AgentOutput]
) -> None:
    expected = l3_case.expected
    for answer in (expected.golden_answer, outputs[l3_case.id].answer()):
        assert find_keywords(answer, expected.expected_keywords_any)
        assert not find_keywords(answer, expected.expected_keywords_none)


def test_answers_are_not_the_golden_answers(
    l3_case: SemanticCase, outputs: dict[str, AgentOutput]
) -> None:
    """The sample answers were written apart from the cases: no sentence is taken from them."""
    answer = outputs[l3_case.id].answer()
    sentences = l3_case.expected.golden_answer.replace("\n", " ").split(". ")
    assert not find_keywords(answer, [s for s in sentences if len(s.split()) > 8])


def test_the_bundled_cases_have_no_lint() -> None:
    cases, refused = read_folder(bundled("seeds"))
    pages, _ = load_snapshots(bundled("snapshots"))
    evidence = {page.entry.fetch_key: page.evidence for page in pages}
    assert not refused
    assert lint(cases, evidence=evidence, agents=AGENTS) == []


def test_no_two_different_questions_get_an_equal_answer(
    cases: dict[str, Case], outputs: dict[str, AgentOutput]
) -> None:
    answers = [
        Answered(case.id, case.agent, case.input, answer_hash(outputs[case.id]))
        for case in cases.values()
    ]
    assert equal_outputs(answers) == ()

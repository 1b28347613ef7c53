"""Walking a graph: one path, one end; near the border the other branch informs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from jw_eval_store.judges.errors import JudgeError, JudgeMalformedError, JudgeUnreachableError
from jw_eval_store.judges.interface import LlmReply, LlmRequest
from jw_eval_store.judges.judgement import Judgement
from jw_eval_store.judges.session import Session
from jw_eval_store.judges.strategies.graph.load import find_graph, parse_graph
from jw_eval_store.judges.strategies.graph.strategy import GraphStrategy
from tests.judges.fakes import JUDGEMENT, FakeClient, said, session_with, verdict
from tests.judges.test_graph_loading import SOUND, swap

CITED = replace(
    JUDGEMENT,
    expected_citations=("https://wol.jw.org/es/wol/d/r4/lp-s/1101989140",),
    cited=("no url", "https://wol.jw.org/es/wol/d/r4/lp-s/1101989140#p1"),
)


def answering(answers: Mapping[str, Any]) -> FakeClient:
    """A judge that answers by what stands in the prompt."""

    def answer(request: LlmRequest) -> str | LlmReply | Exception:
        prompt = request.messages[1].content
        found = [answers[key] for key in answers if key in prompt]
        assert len(found) == 1, prompt
        given = found[0]
        if isinstance(given, str | LlmReply | Exception):
            return given
        raise AssertionError(given)

    return FakeClient(answer)


ANSWERS: dict[str, Any] = {
    "List the claims.": said(output="1. El alma muere."),
    "Does it deny one?": verdict("no", {"no": 0.95, "yes": 0.05}),
    "How much does it say?": verdict("all", {"all": 0.95, "some": 0.05}),
    "Fidelity.": said(steps=["Compare."]),
    "1. Compare.": said(score=8, reason="nearly all"),
}


def walk(
    answers: Mapping[str, Any], soft: int | None = None, judgement: Judgement = CITED
) -> tuple[Any, Session, FakeClient]:
    client = answering(answers)
    session = session_with(client)
    graph = parse_graph(SOUND, "soul.yaml")
    return GraphStrategy(graph, 0.7, soft).judge(judgement, session), session, client


def test_the_walk_goes_one_way_to_one_end_and_says_which() -> None:
    outcome, session, _ = walk(ANSWERS)
    assert (outcome.verdict, outcome.score) == ("pass", 0.8)
    assert outcome.details["path"] == ["cited", "claims", "denies", "how_much", "degree"]
    assert [(step.node, step.kind, step.answer) for step in session.steps] == [
        ("cited", "rule", "yes"),
        ("claims", "task", "1. El alma muere."),
        ("denies", "binary", "no"),
        ("how_much", "choice", "all"),
        ("degree.steps", "task", "1 steps"),
        ("degree", "g_eval", "8"),
    ]
    assert session.steps[2].probability == pytest.approx(0.95)
    assert session.steps[2].margin == pytest.approx(0.90)


def test_a_rule_that_decides_costs_no_call() -> None:
    outcome, session, client = walk(ANSWERS, judgement=replace(CITED, cited=("x",)))
    assert (outcome.verdict, outcome.score, outcome.reasons) == ("fail", 0, ("nothing is cited",))
    assert not client.asked
    assert [step.node for step in session.steps] == ["cited", "cited.no"]


def test_a_task_s_result_is_shown_framed_to_those_who_read_it_and_to_nobody_else() -> None:
    _, session, _ = walk(ANSWERS)
    prompts = {step.node: step.prompt for step in session.steps}
    assert "claims:\n<<<CLAIMS " in prompts["denies"]
    assert "| 1. El alma muere." in prompts["denies"]
    assert JUDGEMENT.candidate not in prompts["denies"]
    assert "El alma muere.\n" not in prompts["degree"].replace(JUDGEMENT.golden_answer, "")


def test_a_shared_end_is_reached_from_either_side() -> None:
    for changed in ({"Does it deny one?": verdict("yes")}, {"How much": verdict("none")}):
        outcome, session, _ = walk({**ANSWERS, **_renamed(changed)})
        assert (outcome.verdict, outcome.score) == ("fail", 0)
        assert session.steps[-1].node == "wrong"


def _renamed(changed: Mapping[str, Any]) -> dict[str, Any]:
    return {
        ("How much does it say?" if key == "How much" else key): changed[key] for key in changed
    }


def test_choices_are_offered_in_the_order_written() -> None:
    _, _, client = walk(ANSWERS)
    [asked] = [r for r in client.asked if "How much" in r.prompt]
    assert asked.schema["properties"]["verdict"]["enum"] == ["all", "some", "none"]
    assert '"all" | "some" | "none"' in asked.prompt


def test_no_case_leaves_anything_behind_for_the_next() -> None:
    graph = parse_graph(SOUND, "soul.yaml")
    strategy = GraphStrategy(graph, 0.7)
    first = strategy.judge(CITED, session_with(answering(ANSWERS)))
    denied = {**ANSWERS, "Does it deny one?": verdict("yes")}
    second = strategy.judge(CITED, session_with(answering(denied)))
    third = strategy.judge(CITED, session_with(answering(ANSWERS)))
    assert (first.score, second.score, third.score) == (0.8, 0, 0.8)


def test_a_node_without_an_answer_leaves_the_case_unscored() -> None:
    with pytest.raises(JudgeMalformedError):
        walk({**ANSWERS, "How much does it say?": "[]"})


def test_far_from_every_border_the_soft_walk_asks_nothing_more() -> None:
    outcome, _, client = walk(ANSWERS, soft=6)
    assert outcome.soft_score == pytest.approx(0.8)
    assert outcome.details["soft"] == {"covered": pytest.approx(0.95 * 0.95), "questions": 0}
    assert len(client.asked) == 5


def test_near_a_border_both_branches_are_weighted() -> None:
    near = {
        **ANSWERS,
        "Does it deny one?": verdict("yes", {"yes": 0.6, "no": 0.4}),
        "How much does it say?": verdict("all", {"all": 0.5, "some": 0.25, "none": 0.25}),
    }
    outcome, session, _ = walk(near, soft=6)
    assert (outcome.verdict, outcome.score) == ("fail", 0)
    assert outcome.soft_score == pytest.approx(0.4 * 0.75 * 0.8)
    assert outcome.details["soft"] == {"covered": 1.0, "questions": 3}
    marked = {step.node for step in session.steps if step.details.get("walk") == "soft"}
    assert marked == {"how_much", "degree.steps", "degree"}


def test_the_soft_walk_keeps_to_its_limit_and_counts_only_what_it_walked() -> None:
    near = {**ANSWERS, "Does it deny one?": verdict("yes", {"yes": 0.6, "no": 0.4})}
    for limit, asked in ((0, 0), (1, 1), (2, 1)):
        outcome, _, _ = walk(near, soft=limit)
        assert outcome.soft_score == 0
        assert outcome.details["soft"] == {"covered": 0.6, "questions": asked}


def test_a_failure_on_a_branch_not_taken_changes_nothing() -> None:
    near = {
        **ANSWERS,
        "Does it deny one?": verdict("yes", {"yes": 0.6, "no": 0.4}),
        "How much does it say?": JudgeUnreachableError("gone"),
    }
    outcome, session, _ = walk(near, soft=6)
    assert (outcome.verdict, outcome.soft_score) == ("fail", 0)
    assert session.steps[-1].error == "judge_unreachable"


def test_without_log_probabilities_the_soft_walk_is_the_hard_one() -> None:
    plain = {
        **ANSWERS,
        "Does it deny one?": said(verdict="no", reason="x"),
        "How much does it say?": said(verdict="some", reason="x"),
    }
    outcome, _, _ = walk(plain, soft=6)
    assert outcome.soft_score == outcome.score == 0.8


RULES = {
    "contains_any, there": ("contains_any\n    phrases: [el alma ES, x]", "yes"),
    "contains_any, not there": ("contains_any\n    phrases: [inmortal]", "no"),
    "contains_any within a word": ("contains_any\n    phrases: [perso]", "no"),
    "contains_any of the case": ("contains_any\n    phrases: keywords_any", "yes"),
    "contains_none, there": ("contains_none\n    phrases: [muere]", "no"),
    "contains_none of the case": ("contains_none\n    phrases: keywords_none", "no"),
    "regex": ("regex\n    pattern: 'alma .* MUERE'", "yes"),
    "regex, not there": ("regex\n    pattern: 'vive'", "no"),
    "cites the expected": ("cites", "yes"),
    "cites others": ("cites\n    urls: [https://wol.jw.org/es/wol/d/r4/lp-s/1]", "no"),
    "min_similarity": ("min_similarity\n    at_least: 0.5", "yes"),
    "min_similarity, below": ("min_similarity\n    at_least: 0.6", "no"),
    "min_findings": ("min_findings\n    at_least: 2", "yes"),
    "min_findings, below": ("min_findings\n    at_least: 3", "no"),
}
RULED = replace(
    CITED,
    keywords_any=("otra cosa", "la persona"),
    keywords_none=("según las escrituras",),
    findings=2,
    similarity=lambda: 0.55,
)


@pytest.mark.parametrize(("rule", "answer"), RULES.values(), ids=RULES.keys())
def test_rules_are_decided_by_code(rule: str, answer: str) -> None:
    text = f"graph: r\nstart: a\nnodes:\n  a:\n    kind: rule\n    rule: {rule}\n"
    graph = parse_graph(text + "    yes: {score: 10}\n    no: {score: 0}\n", "r.yaml")
    session = session_with(FakeClient([]))
    outcome = GraphStrategy(graph, 1.0).judge(RULED, session)
    rule_step = next(step for step in session.steps if step.node == "a")
    assert rule_step.answer == answer
    assert outcome.score == (1 if answer == "yes" else 0)


def test_a_similarity_that_nobody_computes_leaves_the_case_unscored() -> None:
    text = swap("rule: cites", "rule: min_similarity\n    at_least: 0.2")
    graph = parse_graph(text, "soul.yaml")
    with pytest.raises(JudgeError) as caught:
        GraphStrategy(graph, 0.5).judge(CITED, session_with(FakeClient([])))
    assert caught.value.code == "embedder_unavailable"


def test_a_graph_that_forgets_required_keywords_is_preceded_by_them() -> None:
    asked = replace(CITED, keywords_any=("resurrección",))
    answers = {**ANSWERS, "at least one of the required keywords": verdict("no")}
    outcome, session, _ = walk(answers, judgement=asked)
    assert (outcome.verdict, outcome.score) == ("fail", 0)
    assert [step.node for step in session.steps] == ["keywords"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_fidelity_asks_a_model_only_what_rules_leave_open(language: str) -> None:
    en, es = (
        ("Does the candidate deny", "How many", "List the claims"),
        ("Niega", "Cuántas", "Enumera"),
    )
    denies, coverage, claims = es if language == "es" else en
    client = answering({
        claims: said(output="1. El alma muere."),
        denies: verdict("no"),
        coverage: verdict("all"),
        "1. Compar": said(score=9, reason="well"),
    })  # fmt: skip
    strategy = GraphStrategy(find_graph("fidelity"), 0.7)
    case = replace(CITED, findings=1)
    outcome = strategy.judge(case, session_with(client, language))
    assert (outcome.verdict, outcome.score, len(client.asked)) == ("pass", 0.9, 4)
    for stopped in (
        replace(case, findings=0),
        replace(case, keywords_none=("muere",)),
        replace(case, cited=()),
    ):
        idle = FakeClient([])
        assert strategy.judge(stopped, session_with(idle, language)).verdict == "fail"
        assert not idle.asked

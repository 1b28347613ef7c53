"""Judging an output without an agent: what is settled before any model is asked."""

from __future__ import annotations

from typing import Any

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.cases import SemanticCase, parse_case
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.domain.outputs import AgentOutput, Citation, Finding
from jw_eval_store.runs.given import Given
from jw_eval_store.runs.judging import Tools, judge_output
from jw_eval_store.runs.rejudging import RejudgeRequest, rejudge
from tests.runs.conftest import URL, Project

SAID = "God so loved the world"
ANSWER = AgentOutput(findings=(Finding(summary=SAID, citation=Citation(url=URL)),))


class Approving:
    """A semantic layer that passes everything, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def evaluate(self, case: SemanticCase, output: AgentOutput, repeat: int = 0) -> LayerResult:
        self.asked += 1
        return LayerResult(case_id=case.id, layer="l3", verdict="pass")


def judge(phrases: list[str], page: Evidence | None, layer: Approving) -> LayerResult:
    citation: dict[str, Any] = {"url": URL} | ({"phrases": phrases} if phrases else {})
    case = parse_case(
        {"id": "c", "agent": "any", "layer": "l3", "input": {"q": "x"}}
        | {"expected": {"golden_answer": SAID, "expected_citations": [citation]}}
    )
    evidence = {page.fetch_key: page} if page else {}
    return judge_output(case, ANSWER, evidence, Tools({}, {}, ("captured",), layer))


@pytest.mark.parametrize(
    ("phrases", "text", "verdict", "code"),
    [
        (["loved the world"], SAID, "pass", None),
        (["hated the world"], SAID, "fail", None),
        (["loved the world"], None, "error", "evidence_missing"),
        ([], None, "pass", None),
    ],
)
def test_a_phrase_of_an_l3_citation_must_stand_on_its_page(
    phrases: list[str], text: str | None, verdict: str, code: str | None
) -> None:
    page = None if text is None else Evidence(URL, "captured", (Passage("v43:3:16", text),))
    layer = Approving()
    result = judge(phrases, page, layer)
    assert (result.verdict, result.reason_code, result.layer) == (verdict, code, "l3")
    assert layer.asked == (verdict == "pass")
    if verdict == "fail":
        assert "does not hold “hated the world”" in result.reasons[0]


@pytest.mark.parametrize(
    ("text", "verdict"), [(SAID, "pass"), ("God hated the world", "fail"), (None, "error")]
)
def test_answers_judged_again_are_held_against_the_cited_pages_too(
    project: Project, text: str | None, verdict: str
) -> None:
    project.configure('[embedder]\nbackend = "none"\n[judge]\nllm = "none"\n')
    file = project.root / "cases" / "l3" / "c.yaml"
    file.parent.mkdir()
    file.write_text(
        "id: c\nagent: answerer\ninput: {question: what}\n"
        f"expected_citations:\n  - {{url: '{URL}', phrases: [{SAID}]}}\n"
        f"golden_answer: {SAID}.\njudge: {{primary: llm}}\n"
    )
    if text is not None:
        project.snapshot(text)
    given = Given(judge=lambda prompt: '{"verdict": "pass", "reason": "it says so"}')
    found = [project.run(layers=("l3",), given=given)]
    config = load_config(project.root, environ={})
    found.append(rejudge(RejudgeRequest(given=given), config))
    first, again = (report.results[0] for report in found)
    assert (first.verdict, first.reason_code) == (again.verdict, again.reason_code)
    assert first.verdict == verdict, first.reasons

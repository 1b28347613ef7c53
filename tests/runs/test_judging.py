"""Judging an output without an agent: what is settled before any model is asked."""

from __future__ import annotations

from typing import Any

import pytest

from jw_eval_store.domain.cases import SemanticCase, parse_case
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.domain.outputs import AgentOutput, Citation, Finding
from jw_eval_store.runs.judging import Tools, judge_output
from tests.runs.conftest import URL

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

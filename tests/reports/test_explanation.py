"""One verdict taken apart: what it says, and what it does not say twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from jw_eval_store.domain.evaluations import JudgeStep
from jw_eval_store.domain.histories import EarlierVerdict, ExplainedResult, Explanation
from jw_eval_store.domain.outputs import AgentOutput, Citation, Finding
from jw_eval_store.domain.reports import CaseReport
from jw_eval_store.reports.explanation import explanation_text
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.wording import place
from jw_eval_store.resources import bundled


def explained(case: CaseReport) -> ExplainedResult:
    return ExplainedResult(**{f.name: getattr(case, f.name) for f in fields(ExplainedResult)})


def test_an_explanation_shows_reasons_steps_answer_and_the_past(
    make_case: Callable[..., CaseReport],
) -> None:
    case = make_case(
        "l3_soul", "fail", layer="l3", score=0.4, reasons=("a contradiction",), details={"x": ["y"]}
    )
    step = JudgeStep(
        node="same_claim",
        kind="binary",
        question="Do both say that the soul dies?",
        reply="No.\x1b[31m",
        answer="no",
        probability=0.97,
        model="llama3.1:8b",
        duration_ms=1200,
    )
    finding = Finding(
        summary="El alma no muere", citation=Citation(url="https://x.org/1", kind="topic_index")
    )
    explanation = Explanation(
        run="01JW",
        result=explained(case),
        source="id: l3_soul\n",
        input={"question": "¿Muere el alma?"},
        output=AgentOutput(findings=(finding,) * 12, warnings=("slow",)).model_dump(),
        judge="ollama llama3.1:8b",
        steps=(step,),
        earlier=(
            EarlierVerdict(
                run="01JV",
                started_at="2026-05-29T00:00:00Z",
                verdict="pass",
                score=0.9,
                cause="agent changed",
            ),
        ),
    )
    text = explanation_text(explanation)
    order = [
        "FAIL (0.400)  l3_soul",
        "  a contradiction",
        "judge             ollama llama3.1:8b",
        "same_claim [binary] -> no  (probability 0.97, 1200 ms)",
        "Do both say that the soul dies?",
        "reply: No.\\x1b[31m",
        "1 answer of llama3.1:8b: 0 + 0 tokens, 1200 ms",
        "x:\n  y",
        "answered with 12 findings",
        "1. topic_index: El alma no muere",
        "… and 2 more",
        "warning: slow",
        "2026-05-29 00:00  pass     0.900  agent changed",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_what_went_in_is_short_and_a_judge_that_is_down_is_told_once(
    make_case: Callable[..., CaseReport],
) -> None:
    down = "Ollama can't be reached: refused"
    digest = "ab12" * 16
    path = bundled("seeds") / "l3" / "soul.yaml"
    case = make_case(
        "l3_soul", "error", layer="l3", reasons=(down, "needs a judge"), path=str(path), line=1
    )
    step = JudgeStep(
        node="verdict", kind="verdict", error="judge_unreachable", details={"reason": down}
    )
    settings = {
        "entailment": None,
        "guard": f"sha256:{digest}",
        "origins": ["a", "b"],
        "x": {"y": 1},
    }
    inputs = {"case": f"sha256:{digest}", "layer": "2", "settings": json.dumps(settings)}
    explanation = Explanation(
        run="01JW",
        result=explained(case),
        source="",
        input={},
        output=None,
        steps=(step,),
        inputs=inputs,
    )
    text = explanation_text(explanation, Page(60))
    assert text.count(down) == 1
    assert "because: see above" in text
    assert "hash of case      sha256:ab12ab12ab12\nversion of layer  2\n" in text
    assert "guard: sha256:ab12ab12ab12\n  origins: a, b\n  x: y 1\n" in text
    assert "settings\n  entailment: none\n" in text
    seen = place(str(path), 1)
    assert f"file              {seen}\n" in text


def test_a_bundled_case_is_shown_without_the_folder_of_the_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert place(str(bundled("seeds") / "l3" / "soul.yaml"), 1) == "(bundled) seeds/l3/soul.yaml:1"
    assert place(str(tmp_path / "own.yaml"), 2) == "own.yaml:2"
    assert place("/elsewhere/own.yaml", None) == "/elsewhere/own.yaml"


def test_a_case_without_output_is_explained_too(make_case: Callable[..., CaseReport]) -> None:
    case = make_case("a", "error", reason_code="agent_crash")
    text = explanation_text(
        Explanation(run="01JW", result=explained(case), source="", input={"q": 1}, output=None)
    )
    assert "agent_crash" in text
    assert "the agent gave no output" in text

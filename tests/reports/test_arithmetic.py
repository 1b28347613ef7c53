"""How a semantic verdict follows from what the judge answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jw_eval_store.domain.evaluations import JudgeStep
from jw_eval_store.domain.histories import ExplainedResult, Explanation
from jw_eval_store.reports.arithmetic import arithmetic
from jw_eval_store.reports.explanation import explanation_text


def explained(details: Mapping[str, Any], *steps: JudgeStep) -> Explanation:
    result = ExplainedResult(
        case_id="l3_soul", layer="l3", verdict="pass", score=0.75, reasons=(), duration_ms=1,
        reason_code=None, details=details, agent="a", language="es", topic=None,
    )  # fmt: skip
    return Explanation(run="01JW", result=result, source="", input={}, output=None, steps=steps)


def step(node: str, kind: str, **values: Any) -> JudgeStep:
    return JudgeStep(node=node, kind=kind, model="m", prompt_tokens=10, reply_tokens=2, **values)


def test_claims_count_every_claim_submitted_also_those_asked_again() -> None:
    details = {
        "recall": 0.75,
        "precision": 0.5,
        "judge": {"strategy": "claims", "pass_at": 0.7, "score": 0.75},
    }
    first = step("recall", "claims", details={"verdicts": {"1": "yes", "2": "no", "3": "yes"}})
    again = step("recall.again", "claims", details={"verdicts": {"4": "yes"}}, cached=True)
    other = step("precision", "claims", details={"verdicts": {"1": "no"}})
    assert arithmetic(explained(details, first, again, other)) == [
        "recall: 3 yes / 4 claims = 0.7500",
        "precision 0.5000 (informs, decides nothing)",
        "claims: 0.7500 >= pass_at 0.7: pass",
        "3 answers of m (1 from the cache): 20 + 4 tokens, 0 ms",
    ]


def test_a_score_says_whether_it_was_weighted() -> None:
    details = {"judge": {"strategy": "g_eval", "pass_at": 0.8, "score": 0.75}}
    known = {"range": [1, 5], "weighted": 4.0}
    weighted = step("g_eval", "g_eval", answer="5", score=0.75, details=known)
    raw = step("g_eval", "g_eval", answer="4", score=0.75, details=known | {"weighted": None})
    assert arithmetic(explained(details, weighted))[:2] == [
        "g_eval: (4.000 - 1) / (5 - 1) = 0.7500  (weighted by log-probabilities; given: 5)",
        "g_eval: 0.7500 < pass_at 0.8: fail",
    ]
    assert arithmetic(explained(details, raw))[0].endswith("0.7500  (as given)")


def test_a_verdict_is_the_judges_own() -> None:
    details = {"judge": {"strategy": "verdict", "pass_at": None, "score": 1.0}}
    assert arithmetic(explained(details, step("verdict", "verdict", answer="pass")))[0] == (
        "verdict: the judge's own verdict, score 1.0000"
    )


def test_without_a_judge_it_says_why_nothing_passed() -> None:
    flag = {"kind": "number", "golden": "g", "candidate": "c", "difference": "4 against 5"}
    details = {"doubts": ["number: 4 against 5", "topic score 0.5 is below 0.85"], "flags": [flag]}
    assert arithmetic(explained(details)) == [
        "not passed without a judge: 1 difference (see above); topic score 0.5 is below 0.85"
    ]


def test_what_only_the_soft_walk_asked_stands_beside_the_walk() -> None:
    first = step("asks", "binary", answer="yes", probability=0.6, margin=0.2)
    hard = step("end", "g_eval", answer="8", score=0.8)
    soft = step("other", "binary", answer="no", details={"walk": "soft"})
    details = {
        "graph": "g",
        "path": ["asks", "end"],
        "soft": {"covered": 0.9, "questions": 1},
        "judge": {"strategy": "graph", "pass_at": 0.5, "score": 0.8, "soft_score": 0.5},
    }
    text = explanation_text(explained(details, first, hard, soft))
    lines = [line.strip() for line in text.splitlines()]
    assert "├── asks [binary] -> yes  (probability 0.60, margin 0.20, 0 ms, 10 + 2 tokens)" in lines
    assert "│   └── end [g_eval] -> 8  (0 ms, 10 + 2 tokens)" in lines
    assert "└── other [binary] -> no  (0 ms, 10 + 2 tokens, soft walk only)" in lines
    assert "soft score 0.5000 (informs; 90% of the ways walked, 1 more questions)" in lines


def test_what_an_answer_holds_reaches_no_terminal() -> None:
    details = {
        "topic": {
            "score": 0.5,
            "cosine": 0.5,
            "matches": [{"golden": "g", "candidate": "\x1b[31mred\u202e", "cosine": 0.5}],
        }
    }
    text = explanation_text(explained(details, step("v", "verdict", reply="\x1b[2J", answer="x")))
    assert "\x1b" not in text

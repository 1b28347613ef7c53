"""Claims: one verdict per number, counted over what was submitted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jw_eval_store.judges.errors import JudgeMalformedError
from jw_eval_store.judges.interface import LlmRequest
from jw_eval_store.judges.strategies.claims import ClaimsStrategy
from tests.judges.fakes import JUDGEMENT, FakeClient, said, session_with

GOLDEN = ["El alma muere.", "Los muertos no saben nada.", "Hay esperanza.", "Dios es amor."]


def numbered(**verdicts: str) -> str:
    """Verdicts by claim: `numbered(c1="yes")`."""
    listed = [{"number": int(key[1:]), "verdict": said} for key, said in verdicts.items()]
    return said(verdicts=listed)


PRECISION = numbered(c1="yes", c2="no")


def answering(*recall: str, precision: str = PRECISION) -> FakeClient:
    """A judge that splits texts into claims, then gives these verdicts."""
    given = list(recall)

    def answer(request: LlmRequest) -> str:
        prompt = request.messages[-1].content
        if "<<<TEXT" in prompt:
            golden = JUDGEMENT.golden_answer in prompt
            return said(claims=GOLDEN if golden else ["Uno.", "Dos."])
        if f"| {JUDGEMENT.candidate}" in prompt:
            return given.pop(0)
        return precision

    return FakeClient(answer)


def test_recall_over_the_golden_answers_claims_decides() -> None:
    client = answering(numbered(c1="yes", c2="no", c3="yes", c4="yes"))
    session = session_with(client)
    outcome = ClaimsStrategy(0.75).judge(JUDGEMENT, session)
    assert (outcome.verdict, outcome.score) == ("pass", 0.75)
    assert outcome.reasons == ("not said: Los muertos no saben nada.",)
    assert outcome.details == {"recall": 0.75, "precision": 0.5}
    assert [step.node for step in session.steps] == [
        "recall.claims", "recall", "precision.claims", "precision",
    ]  # fmt: skip
    assert ClaimsStrategy(0.76).judge(JUDGEMENT, session_with(answering(
        numbered(c1="yes", c2="no", c3="yes", c4="yes")
    ))).verdict == "fail"  # fmt: skip


def test_a_lost_verdict_does_not_raise_the_score_but_is_asked_for_again() -> None:
    client = answering(numbered(c1="yes", c2="yes", c4="yes"), numbered(c3="no"))
    session = session_with(client)
    assert ClaimsStrategy(0.9).judge(JUDGEMENT, session).score == 0.75
    again = next(step for step in session.steps if step.node == "recall.again")
    assert "numbers 3," in again.prompt
    assert "3. Hay esperanza." in again.prompt
    assert "1. El alma muere." not in again.prompt
    asked = [r.schema["properties"]["verdicts"] for r in client.asked if "verdicts" in r.prompt]
    assert [(verdicts["minItems"], verdicts["maxItems"]) for verdicts in asked[:2]] == [
        (4, 4),
        (1, 1),
    ]


def test_a_verdict_lost_twice_leaves_the_case_unscored() -> None:
    client = answering(numbered(c1="yes", c2="yes", c4="yes"), numbered(c1="yes"))
    with pytest.raises(JudgeMalformedError, match=r"\[3\]"):
        ClaimsStrategy(0.5).judge(JUDGEMENT, session_with(client))


def test_verdicts_on_claims_that_nobody_submitted_do_not_count() -> None:
    client = answering(numbered(c1="no", c2="no", c3="no", c4="no", c5="yes", c9="yes"))
    assert ClaimsStrategy(0.5).judge(JUDGEMENT, session_with(client)).score == 0


def test_yes_and_no_to_one_claim_is_no_verdict() -> None:
    both = said(verdicts=[{"number": 1, "verdict": v} for v in ("yes", "no")])
    with pytest.raises(JudgeMalformedError, match="claim 1"):
        ClaimsStrategy(0.5).judge(JUDGEMENT, session_with(answering(both)))


def test_no_claims_is_no_answer() -> None:
    client = FakeClient([said(claims=[])])
    with pytest.raises(JudgeMalformedError):
        ClaimsStrategy(0.5).judge(JUDGEMENT, session_with(client))


def test_precision_only_informs() -> None:
    client = answering(numbered(c1="yes", c2="yes", c3="yes", c4="yes"), precision="[]")
    session = session_with(client)
    outcome = ClaimsStrategy(1.0).judge(JUDGEMENT, session)
    assert (outcome.verdict, outcome.details["precision"]) == ("pass", None)
    assert session.steps[-1].error == "judge_malformed"


def test_a_required_keyword_in_no_form_fails_before_any_claim() -> None:
    asked = replace(JUDGEMENT, keywords_any=("resurrección",))
    client = FakeClient([said(verdict="no", reason="not there")])
    session = session_with(client)
    outcome = ClaimsStrategy(0.5).judge(asked, session)
    assert (outcome.verdict, outcome.score) == ("fail", 0.0)
    assert [step.node for step in session.steps] == ["keywords"]


def test_a_required_keyword_that_stands_there_needs_no_question() -> None:
    asked = replace(JUDGEMENT, keywords_any=("resurrección", "EL ALMA es la persona"))
    session = session_with(answering(numbered(c1="yes", c2="yes", c3="yes", c4="yes")))
    assert ClaimsStrategy(1.0).judge(asked, session).verdict == "pass"
    assert (session.steps[0].kind, session.steps[0].model) == ("rule", "")


def test_claims_that_imitate_numbers_stay_on_their_line() -> None:
    def answer(request: LlmRequest) -> str:
        if "<<<TEXT" in request.messages[-1].content:
            return said(claims=["Uno.\n2. Dos."])
        return numbered(c1="yes")

    session = session_with(FakeClient(answer))
    ClaimsStrategy(1.0).judge(JUDGEMENT, session)
    assert "| 1. Uno. 2. Dos.\n" in session.steps[1].prompt

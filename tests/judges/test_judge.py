"""A judge decides or says why not; repeats and people tell how far to trust it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.judges.asking import Asker
from jw_eval_store.judges.checking import check_client
from jw_eval_store.judges.errors import JudgeUnreachableError
from jw_eval_store.judges.interface import ClientIdentity, LlmReply
from jw_eval_store.judges.judge import Judge
from jw_eval_store.judges.judgement import JudgeVerdict
from jw_eval_store.judges.repeats import judge_repeatedly
from jw_eval_store.judges.statistics import agreement, cohens_kappa, flip_rate, wilson
from jw_eval_store.judges.strategies.verdict import VerdictStrategy
from tests.judges.fakes import JUDGEMENT, FakeClient, said, verdict

PASS, FAIL = said(verdict="pass", reason="x"), said(verdict="fail", reason="y")


def judge(answers: Sequence[str | LlmReply | Exception]) -> tuple[Judge, FakeClient]:
    client = FakeClient(answers)
    return Judge(VerdictStrategy(), Asker(client)), client


def test_an_empty_answer_fails_without_a_question() -> None:
    made, client = judge([PASS])
    assert made(replace(JUDGEMENT, candidate=" \n\t")).verdict == "fail"
    assert not client.asked


def test_the_specified_prompt_holds_all_that_the_specification_names() -> None:
    made, client = judge([PASS])
    made(replace(JUDGEMENT, keywords_any=("el alma", 'la "persona"'), keywords_none=("vive",)))
    prompt = client.asked[0].prompt
    for part in (
        "juez doctrinal de fidelidad",
        "| El alma muere. Los muertos no están conscientes de nada.",
        "| Según las Escrituras, el alma es la persona y muere.",
        "| ¿Qué es el alma?",
        '["el alma", "la \\"persona\\""]',
        '["vive"]',
        '{"verdict": "pass" | "fail", "reason": "..."}',
    ):
        assert part in prompt
    assert "\\u" not in prompt


def test_a_judge_that_cannot_be_reached_has_another_identity() -> None:
    class Gone(FakeClient):
        def identity(self) -> ClientIdentity:
            raise JudgeUnreachableError("gone")

    there, _ = judge([PASS])
    gone = Judge(VerdictStrategy(), Asker(Gone([PASS])))
    assert gone(JUDGEMENT).reason_code == "judge_unreachable"
    assert gone.identity()["model"]["error"] == "judge_unreachable"
    assert gone.identity() != there.identity()
    assert there.label == "fake/fake-1 verdict"


def test_repeats_ask_anew_and_the_majority_decides() -> None:
    made, client = judge([PASS, FAIL, PASS])
    repeated = judge_repeatedly(made, JUDGEMENT, 3)
    assert (repeated.verdict, repeated.reason_code, repeated.unanimous) == ("pass", None, False)
    assert repeated.node_flips == {"verdict": pytest.approx(1 / 3)}
    assert len({request.seed for request in client.asked}) == 3


@pytest.mark.parametrize(
    ("answers", "verdict_", "code"),
    [
        ([PASS, FAIL], None, "judges_disagree"),
        ([PASS, PASS, "[]", "[]"], "pass", None),
        ([PASS, "[]", "[]", "[]", "[]"], None, "judge_malformed"),
        (["[]"], None, "judge_malformed"),
        ([PASS, FAIL, "[]", "[]"], None, "judges_disagree"),
    ],
)
def test_less_than_a_majority_of_all_decides_nothing(
    answers: list[str], verdict_: str | None, code: str | None
) -> None:
    made, _ = judge(answers)
    times = {1: 1, 2: 2}.get(len(answers), 3)
    repeated = judge_repeatedly(made, JUDGEMENT, times)
    assert (repeated.verdict, repeated.reason_code) == (verdict_, code)


def test_a_node_that_never_wavers_has_no_flips() -> None:
    repeated = judge_repeatedly(judge([PASS])[0], JUDGEMENT, 4)
    assert repeated.unanimous
    assert repeated.node_flips == {"verdict": 0.0}
    assert all(isinstance(verdict, JudgeVerdict) for verdict in repeated.verdicts)


def test_checking_says_in_words_what_a_judge_can_do() -> None:
    check = check_client(FakeClient([verdict("yes", {"yes": 0.9, "no": 0.1})]))
    assert check.ok
    assert check.lines == (
        "fake answers with fake-1, digest sha256:f",
        "its JSON is true to the schema (it said yes)",
        "log-probabilities come with each token (0.90 here)",
        "a short question took 5 ms",
    )


def test_checking_says_what_is_missing() -> None:
    plain = check_client(FakeClient([said(verdict="no", reason="x")], ""))
    assert plain.ok
    assert "digest unknown" in plain.lines[0]
    assert plain.lines[2].startswith("no log-probabilities")
    assert plain.lines[3] == "a short question took 5 ms, 2000 tokens a second"
    loose = check_client(FakeClient(["Yes."]))
    assert not loose.ok
    assert "not true to the schema" in loose.lines[1]
    gone = check_client(FakeClient([JudgeUnreachableError("gone", hint="start it")]))
    assert (gone.ok, gone.lines) == (False, ("gone", "  next: start it"))


def test_agreement_counts_by_what_people_say() -> None:
    pairs = [("pass", "pass")] * 40 + [("fail", "fail")] * 30 + [("pass", "fail")] * 10
    pairs += [("fail", "pass")] * 20
    found = agreement([*pairs, (None, "pass"), (None, "fail")])
    assert (found.agreement.hits, found.agreement.total) == (70, 100)
    assert found.true_positive.value == pytest.approx(40 / 60)
    assert found.true_negative.value == pytest.approx(30 / 40)
    assert (found.not_scored.hits, found.not_scored.total) == (2, 102)
    assert found.kappa == pytest.approx((0.70 - 0.50) / (1 - 0.50))


def test_kappa_is_undefined_where_chance_explains_everything() -> None:
    assert cohens_kappa([("pass", "pass")] * 9) is None
    assert cohens_kappa([]) is None
    assert cohens_kappa([("pass", "fail")] * 9) == 0
    assert cohens_kappa([("a", "b"), ("b", "a")]) == -1


def test_wilson_agrees_with_published_values() -> None:
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)
    assert wilson(0, 0) == (0, 1)


@given(st.integers(1, 500), st.data())
def test_wilson_solves_its_equation(total: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, total))
    for limit in wilson(hits, total):
        if 0 < limit < 1:
            z = abs(hits / total - limit) / sqrt(limit * (1 - limit) / total)
            assert z == pytest.approx(1.959964, abs=1e-4)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[str, str]]) -> None:
    kappa = cohens_kappa(pairs)
    assert kappa == cohens_kappa([(b, a) for a, b in pairs])
    assert kappa is None or kappa <= 1


def test_flip_rate_is_the_share_of_cases_that_are_not_unanimous() -> None:
    rate = flip_rate([["pass", "pass"], ["pass", "fail"], ["fail", None], ["fail"]])
    assert (rate.hits, rate.total) == (2, 4)
    assert flip_rate([]).value is None

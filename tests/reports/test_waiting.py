"""Cases that lack nothing but a judge are said together, with the next step once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jw_eval_store.domain.reports import CaseReport
from jw_eval_store.reports.waiting import split_waiting

Make = Callable[..., CaseReport]
NOBODY = "undecided: no judge; set JW_EVAL_LLM and see: jw-eval judge check"


def waiting(make_case: Make, case_id: str, code: str, *reasons: str) -> CaseReport:
    values: dict[str, Any] = {"layer": "l3", "reason_code": code, "reasons": reasons}
    return make_case(case_id, "error", **values)


def test_they_are_said_once_and_the_rest_as_ever(make_case: Make) -> None:
    need = "needs a judge: 2 differences (name), topic 0.50; see: jw-eval explain a"
    cases = [
        make_case("failed", "fail"),
        waiting(make_case, "a", "no_judge", NOBODY, need),
        waiting(make_case, "b", "embedder_unavailable", NOBODY),
    ]
    others, found = split_waiting(cases, "01JW")
    assert [case.case_id for case in others] == ["failed"]
    assert found.title == "2 cases need a judge: none is set"
    assert [found.remark(case) for case in found.cases] == [
        "2 differences (name), topic 0.50",
        "",
    ]
    assert "jw-eval judge check" in found.next_step
    assert found.next_step.endswith("jw-eval rejudge 01JW")


def test_a_server_that_is_down_is_named_without_its_own_hints(make_case: Make) -> None:
    down = (
        "Ollama at http://x can't be reached: refused (the judge failed 3 times)\n  next: start it"
    )
    cases = [waiting(make_case, name, "judge_unreachable", down) for name in "ab"]
    assert split_waiting(cases, "01JW")[1].title == (
        "2 cases need a judge: Ollama at http://x can't be reached: refused"
    )


def test_what_no_judge_could_decide_is_not_among_them(make_case: Make) -> None:
    cases = [
        waiting(make_case, "unsound", "no_judge", "the judge graph x is not sound"),
        waiting(make_case, "cut", "judge_cut", "the prompt was cut"),
        waiting(make_case, "single", "no_judge", NOBODY),
    ]
    others, found = split_waiting(cases, "01JW")
    assert others == cases
    assert found.cases == ()


NUMBERS = "cross-encoder: support 0.{n}, coverage 0.90, contradiction 0.80 (fails from 0.9)"
SEEMS = "“Dios no atormenta a nadie.” seems to contradict the golden answer, says the cross-encoder"
DOWN = "Ollama at http://x can't be reached: refused\n  next: start it"


def test_a_cross_encoders_numbers_are_no_cause_and_stay_with_their_case(make_case: Make) -> None:
    need = "needs a judge: 2 differences (name), topic 0.50; see: jw-eval explain a"
    for code, said, cause in (
        ("judge_unreachable", DOWN, "Ollama at http://x can't be reached: refused"),
        ("no_judge", NOBODY, "none is set"),
        ("embedder_unavailable", NOBODY, "none is set"),
    ):
        cases = [
            waiting(make_case, f"case_{n}", code, NUMBERS.format(n=n), SEEMS, said, need)
            for n in range(2)
        ]
        others, found = split_waiting(cases, "01JW")
        assert others == []
        assert found.title == f"2 cases need a judge: {cause}"
        assert [found.remark(case) for case in found.cases] == [
            f"2 differences (name), topic 0.50; {NUMBERS.format(n=n)}" for n in range(2)
        ]


def test_without_a_cross_encoder_the_judges_reason_is_still_found(make_case: Make) -> None:
    missing = "no cross-encoder: the package is not installed"
    cases = [waiting(make_case, n, "judge_unreachable", missing, DOWN) for n in "ab"]
    assert "can't be reached" in split_waiting(cases, "01JW")[1].title
    veto = "the model passes it, and the cross-encoder does not"
    passed = [waiting(make_case, n, "judge_unreachable", missing, "faithful", veto) for n in "ab"]
    assert split_waiting(passed, "01JW")[0] == passed


def test_why_a_cross_encoder_may_not_decide_is_no_cause_either(make_case: Make) -> None:
    """Every reason of the scope of its thresholds ends alike, and begins as it likes."""
    unfit = (
        "cut out of the golden answer, and whether what is left out matters is the judge's",
        "“No, that is not true.” may deny what stands beside it, and is the judge's",
    )
    down = "Ollama at http://x can't be reached: refused"
    cases = [waiting(make_case, name, "judge_unreachable", *unfit, down) for name in "ab"]
    assert split_waiting(cases, "01JW")[1].title == f"2 cases need a judge: {down}"

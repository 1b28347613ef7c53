"""Cases that lack nothing but a judge are said together, with the next step once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jw_eval_store.domain.reports import CaseReport
from jw_eval_store.reports.waiting import split_waiting

Make = Callable[..., CaseReport]


def waiting(make_case: Make, case_id: str, code: str, **waits: str) -> CaseReport:
    noted = {"cause": "none is set", "needs": "topic 0.50", "cross_encoder": ""} | waits
    values: dict[str, Any] = {"layer": "l3", "reason_code": code, "details": {"waits": noted}}
    return make_case(case_id, "error", **values)


def test_they_are_said_once_and_the_rest_as_ever(make_case: Make) -> None:
    cases = [
        make_case("failed", "fail"),
        waiting(make_case, "a", "no_judge", needs="2 differences (name), topic 0.50"),
        waiting(make_case, "b", "embedder_unavailable", needs="nothing was compared"),
    ]
    others, found = split_waiting(cases, "01JW")
    assert [case.case_id for case in others] == ["failed"]
    assert found.title == "2 cases need a judge: none is set"
    assert [found.remark(case) for case in found.cases] == [
        "2 differences (name), topic 0.50",
        "nothing was compared",
    ]
    assert "jw-eval judge check" in found.next_step
    assert found.next_step.endswith("jw-eval rejudge 01JW")


def test_a_server_that_is_down_is_named_without_its_own_hints(make_case: Make) -> None:
    down = (
        "Ollama at http://x can't be reached: refused (the judge failed 3 times)\n  next: start it"
    )
    cases = [waiting(make_case, name, "judge_unreachable", cause=down) for name in "ab"]
    found = split_waiting(cases, "01JW")[1]
    assert found.title == "2 cases need a judge: Ollama at http://x can't be reached: refused"
    assert found.next_step.startswith("jw-eval judge check")


def test_what_no_judge_could_decide_is_not_among_them(make_case: Make) -> None:
    cases = [
        make_case("unsound", "error", layer="l3", reason_code="no_judge"),
        make_case("cut", "error", layer="l3", reason_code="judge_cut"),
        waiting(make_case, "single", "no_judge"),
    ]
    others, found = split_waiting(cases, "01JW")
    assert others == cases
    assert found.cases == ()


def test_a_cross_encoders_numbers_stay_with_their_case(make_case: Make) -> None:
    numbers = [f"cross-encoder: support 0.{n}, coverage 0.90" for n in range(2)]
    cases = [
        waiting(make_case, f"c{i}", "no_judge", cross_encoder=n) for i, n in enumerate(numbers)
    ]
    found = split_waiting(cases, "01JW")[1]
    assert [found.remark(case) for case in found.cases] == [f"topic 0.50; {n}" for n in numbers]

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

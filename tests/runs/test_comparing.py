"""Comparison of two runs: what changed, and why."""

from __future__ import annotations

from typing import Any

import pytest

from jw_eval_store.domain.reports import CaseReport
from jw_eval_store.runs.comparing import NOTHING, compare


def result(case_id: str = "one", verdict: Any = "pass", **inputs: str) -> CaseReport:
    return CaseReport(
        case_id=case_id,
        layer="l1",
        verdict=verdict,
        agent="a",
        language="es",
        inputs={"case": "c1", "agent": "a1", "layer": "1", **inputs},
    )


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("pass", "fail", "unstable"),
        ("pass", "error", "undecided"),
        ("fail", "pass", "unstable"),
        ("error", "pass", "fix"),
        ("fail", "error", "changed"),
    ],
)
def test_each_change_has_its_name(before: str, after: str, change: str) -> None:
    found = compare("b", [result(verdict=before)], "c", [result(verdict=after)])
    assert [d.change for d in found.differences] == [change]
    assert found.same == 0


@pytest.mark.parametrize(
    ("key", "cause"),
    [
        ("case", "case edited"),
        ("evidence", "evidence changed"),
        ("agent", "agent changed"),
        ("layer", "layer changed"),
        ("judge", "judge changed"),
        ("embedder", "embedder changed"),
        ("recording", "recording changed"),
        ("settings", "settings changed"),
    ],
)
def test_the_cause_is_the_input_that_differs(key: str, cause: str) -> None:
    after = result(verdict="fail", **{key: "other"})
    found = compare("b", [result()], "c", [after])
    assert found.differences[0].cause == cause
    assert found.differences[0].inputs == (key,)


def test_a_change_without_a_cause_is_unstable() -> None:
    found = compare("b", [result()], "c", [result(verdict="fail")])
    assert found.differences[0].cause == NOTHING


def test_cases_on_one_side_only() -> None:
    found = compare("b", [result("old")], "c", [result("new")])
    assert {d.case_id: d.change for d in found.differences} == {"old": "removed", "new": "new"}
    assert not found.comparable
    assert "1 added, 1 removed" in " ".join(found.notes)


def test_equal_runs_are_the_same() -> None:
    found = compare("b", [result("a"), result("b")], "c", [result("a"), result("b")])
    assert (found.differences, found.same, found.comparable) == ((), 2, True)


def test_another_judge_is_said_even_where_no_verdict_changed() -> None:
    found = compare("b", [result()], "c", [result(judge="other")])
    assert not found.comparable
    assert "judge" in found.notes[0]

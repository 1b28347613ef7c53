"""The gate: the one function from which verdict and exit code come."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.evaluations import Verdict
from jw_eval_store.domain.policies import AcceptedFailure, LayerGate, Policy
from jw_eval_store.domain.reports import CaseDifference, Change, Comparison
from jw_eval_store.runs.gate import judge_run


def counts(layer: Layer, **verdicts: int) -> dict[Layer, Counter[Verdict]]:
    names: dict[str, Verdict] = {
        "passed": "pass",
        "failed": "fail",
        "error": "error",
        "skip": "skip",
    }
    return {layer: Counter({names[name]: count for name, count in verdicts.items()})}


def compared(change: Change, before: str = "pass", after: str | None = "fail") -> Comparison:
    difference = CaseDifference(
        case_id="one", agent="a", layer="l1", change=change, before=before, after=after, cause="c"
    )
    return Comparison(baseline="b", candidate="c", differences=(difference,))


def test_all_passing_passes() -> None:
    outcome = judge_run(counts("l1", passed=3), Policy())
    assert (outcome.verdict, outcome.exit_code) == ("passed", 0)


def test_a_run_of_layers_that_only_report_is_not_said_to_have_passed() -> None:
    nothing = judge_run(counts("l3", error=2), Policy())
    assert (nothing.verdict, nothing.exit_code, nothing.reported_only) == ("passed", 0, True)
    asked = Policy(gate={"l3": LayerGate(min_pass=0.5, blocking=False, min_decided=0.9)})
    assert not judge_run(counts("l3", passed=2), asked).reported_only
    assert not judge_run(counts("l3", error=2), asked).reported_only
    assert not judge_run(counts("l3", passed=2) | counts("l1", passed=1), Policy()).reported_only
    held = Comparison(baseline="b", candidate="c", same=2)
    assert not judge_run(counts("l3", passed=2), Policy(), comparison=held).reported_only


def test_one_structural_failure_fails() -> None:
    outcome = judge_run(counts("l1", passed=99, failed=1), Policy())
    assert (outcome.verdict, outcome.exit_code) == ("failed", 1)


@pytest.mark.parametrize(("failed", "verdict"), [(2, "passed"), (3, "failed")])
def test_citations_may_lose_two_of_a_hundred(failed: int, verdict: str) -> None:
    assert judge_run(counts("l2", passed=100 - failed, failed=failed), Policy()).verdict == verdict


def test_an_error_in_a_blocking_layer_is_undecided_even_above_the_bar() -> None:
    outcome = judge_run(counts("l2", passed=99, error=1), Policy())
    assert (outcome.verdict, outcome.exit_code) == ("undecided", 3)


def test_failures_weigh_more_than_errors() -> None:
    assert judge_run(counts("l1", passed=1, failed=1, error=1), Policy()).exit_code == 1


def test_a_skip_in_a_blocking_layer_never_passes() -> None:
    assert judge_run(counts("l1", passed=5, skip=1), Policy()).exit_code == 3


def test_the_semantic_layer_is_reported_only() -> None:
    outcome = judge_run(counts("l3", failed=2, error=3), Policy())
    assert outcome.exit_code == 0
    assert "reported only" in outcome.layers[0].message


def test_agents_that_are_down_are_no_report() -> None:
    outcome = judge_run(counts("l3", error=3), Policy(), unanswered=True)
    assert (outcome.verdict, outcome.exit_code, outcome.reported_only) == ("undecided", 3, False)
    assert "no agent gave an answer" in outcome.reasons[0]
    blocked = judge_run(counts("l1", error=3), Policy(), unanswered=True)
    assert (blocked.exit_code, len(blocked.reasons)) == (3, 1)


def test_too_few_decided_is_undecided_even_where_the_layer_only_reports() -> None:
    policy = Policy(gate={"l3": LayerGate(min_pass=0, blocking=False, min_decided=0.9)})
    assert judge_run(counts("l3", passed=8, error=2), policy).exit_code == 3
    assert judge_run(counts("l3", passed=8, failed=1, error=1), policy).exit_code == 0


def test_nothing_judged_is_never_success() -> None:
    assert judge_run({}, Policy()).exit_code == 5
    assert judge_run({"l1": Counter()}, Policy()).exit_code == 5


def test_invalid_files_win_over_failures_and_interruption_over_all() -> None:
    both = counts("l1", failed=1)
    assert judge_run(both, Policy(), invalid_files=1).exit_code == 2
    assert judge_run(both, Policy(), invalid_files=1, interrupted=True).exit_code == 130


@pytest.mark.parametrize(
    ("change", "after", "code"),
    [
        ("regression", "fail", 1),
        ("removed", None, 1),
        ("undecided", "error", 3),
        ("fix", "pass", 0),
    ],
)
def test_no_regression_against_a_baseline(change: Change, after: str | None, code: int) -> None:
    outcome = judge_run(counts("l3", passed=3), Policy(), comparison=compared(change, after=after))
    assert outcome.exit_code == code
    assert code == 0 or "one" in " ".join(outcome.reasons)


@pytest.mark.parametrize(("days", "code"), [(1, 0), (-1, 1)])
def test_an_accepted_failure_counts_until_its_date(days: int, code: int) -> None:
    until = date.today() + timedelta(days=days)
    policy = Policy(accepted=(AcceptedFailure(case="one", reason="known", until=until),))
    found = judge_run(counts("l3", passed=3), policy, comparison=compared("regression"))
    assert found.exit_code == code
    expired = f"one was accepted until {until}, expired"
    assert (expired in " ".join(found.reasons)) == (days < 0)


@pytest.mark.parametrize("change", ["new", "removed"])
def test_a_baseline_that_shares_no_case_is_no_pass(change: Change) -> None:
    nothing = Comparison(baseline="baseline main", candidate="c")
    one_side = replace(compared(change, before="fail", after=None), baseline="baseline main")
    for comparison in (nothing, one_side):
        outcome = judge_run(counts("l1", passed=3), Policy(), comparison=comparison)
        assert (outcome.verdict, outcome.exit_code) == ("empty", 5)
        assert "nothing was compared: baseline main has no case" in outcome.reasons[0]
        assert "jw-eval baseline approve" in outcome.reasons[0]
    assert judge_run(counts("l1", failed=1), Policy(), comparison=nothing).exit_code == 1

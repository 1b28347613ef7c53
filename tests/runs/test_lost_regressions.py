"""Regressions that could slip past the gate: moved and deleted cases, resumed runs, blank names."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.runs.approving import approve_run
from jw_eval_store.runs.keeping import prune_results
from jw_eval_store.store.connect import writing
from tests.runs.conftest import AGENT, Project

BROKEN = AGENT.replace("[finding]", "[] if question == 'one' else [finding]")


@pytest.fixture
def approved(project: Project) -> Project:
    """Cases one and two pass in the baseline main; then the agent fails one."""
    project.case("one")
    project.case("two")
    project.run()
    config = load_config(project.root, environ={})
    approve_run(config, "last", "main", author="ana", reason="first", force=False)
    project.agent(BROKEN)
    return project


def interrupted(project: Project, **parts: Any) -> None:
    """A run of the project that counts as interrupted."""
    project.run(**parts)
    with writing(project.root / ".jw-eval" / "results.db") as conn:
        conn.execute("UPDATE run SET status = 'interrupted' WHERE id = (SELECT max(id) FROM run)")


def test_a_case_that_moved_into_the_selection_is_held_to_its_verdict_of_then(
    approved: Project,
) -> None:
    for case in ("one", "two"):
        path = approved.case(case)
        path.write_text(path.read_text() + "metadata: {topic: moved}\n")
    report = approved.run(
        selection=Selection(layers=("l1",), topics=("moved",)),
        baseline="main",
        min_pass={"l1": 0.0},
    )
    assert report.gate.reasons == ("1 case passed in the baseline and fails now: one",)


def test_a_resumed_run_keeps_its_baseline_and_its_bar(approved: Project) -> None:
    interrupted(approved, baseline="main", min_pass={"l1": 0.25})
    report = approved.run(resume="last")
    assert report.gate.verdict == "failed"
    assert report.gate.reasons == ("1 case passed in the baseline and fails now: one",)
    assert [layer.min_pass for layer in report.gate.layers] == [0.25]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"layers_asked": True, "selection": Selection(layers=("l2",))}, "keeps its cases"),
        ({"selection": Selection(case_ids=("two",))}, "keeps its cases"),
        ({"bundled": True}, "keeps its cases, which are not the bundled ones"),
        ({"repeat": 3}, "keeps its repeats"),
    ],
)
def test_a_resumed_run_is_not_asked_for_other_cases(
    approved: Project, asked: dict[str, Any], said: str
) -> None:
    interrupted(approved)
    with pytest.raises(UsageError, match=said):
        approved.run(resume="last", **asked)


def test_a_bar_for_a_layer_that_a_resumed_run_lacks_is_not_met(approved: Project) -> None:
    interrupted(approved)
    bars: list[dict[str, Any]] = [{"min_pass": {"l3": 0.9}}, {"min_decided": {"l2": 1.0}}]
    for bar in bars:
        with pytest.raises(EmptySelectionError, match="of which no case is selected"):
            approved.run(resume="last", **bar)


def test_an_accepted_failure_does_not_excuse_that_the_case_is_gone(approved: Project) -> None:
    until = date.today() + timedelta(days=1)
    (approved.root / "policy.yaml").write_text(
        f"accepted:\n  - {{case: one, reason: known, until: {until}}}\n"
    )
    assert approved.run(baseline="main", min_pass={"l1": 0.0}).gate.exit_code == 0
    (approved.root / "cases" / "l1" / "one.yaml").unlink()
    report = approved.run(baseline="main", min_pass={"l1": 0.0})
    assert (report.gate.verdict, report.gate.accepted) == ("failed", ())


def test_a_blank_baseline_is_an_error_and_not_no_baseline(approved: Project) -> None:
    with pytest.raises(UsageError, match="'' is no approved baseline"):
        approved.run(baseline="", min_pass={"l1": 0.0})


def test_pruning_leaves_no_pass_to_be_reused_that_failed_since(project: Project) -> None:
    """The same inputs passed and then failed: a wavering verdict, which is asked anew."""
    outcome = project.root / "outcome"  # beside the agent's files, so no input of its answers
    there = f"__import__('os').path.exists({str(outcome)!r})"
    wavering = AGENT.replace("[finding]", f"[finding] if {there} else []")
    project.agent(wavering)
    project.case("one")
    outcome.touch()
    project.run()
    config = load_config(project.root, environ={})
    approve_run(config, "last", "main", author="ana", reason="first", force=False)
    outcome.unlink()
    assert project.run().gate.verdict == "failed"
    project.agent()
    assert project.run().gate.verdict == "passed"
    prune_results(config, newest=1, since=None, dry_run=False)
    project.agent(wavering)
    report = project.run(since="last")
    assert (report.gate.verdict, report.results[0].reused) == ("failed", False)

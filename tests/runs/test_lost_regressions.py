"""Regressions that could slip past the gate: moved and deleted cases, resumed runs, blank names."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.runs.approving import approve_run
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
    approved.run(baseline="main", min_pass={"l1": 0.25})
    with writing(approved.root / ".jw-eval" / "results.db") as conn:
        conn.execute("UPDATE run SET status = 'interrupted' WHERE id = (SELECT max(id) FROM run)")
    report = approved.run(resume="last")
    assert report.gate.verdict == "failed"
    assert report.gate.reasons == ("1 case passed in the baseline and fails now: one",)
    assert [layer.min_pass for layer in report.gate.layers] == [0.25]


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

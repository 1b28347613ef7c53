"""Baselines: who approved what, the gate against them, and what a comparison shows."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.reports import CaseDifference, Comparison, SuiteReport
from jw_eval_store.reports.difference import difference_report
from jw_eval_store.reports.formats import reporter
from jw_eval_store.runs.approving import (
    approve_run,
    list_approvals,
    revoke_approval,
    show_approval,
)
from jw_eval_store.runs.diffing import diff_runs
from jw_eval_store.runs.unstable import unstable
from tests.runs.conftest import AGENT, URL, Project


def approve(project: Project, run: str = "last", name: str = "main", **more: object) -> object:
    values = {"author": "ana", "reason": "release", "force": False} | more
    config = load_config(project.root, environ={})
    return approve_run(config, run, name, **values)  # type: ignore[arg-type]  # mixed values


def compared(report: SuiteReport) -> Comparison:
    assert report.diff_vs_baseline is not None
    return report.diff_vs_baseline


def only(comparison: Comparison) -> CaseDifference:
    (difference,) = comparison.differences
    return difference


def test_an_approval_says_who_when_why_and_of_what(project: Project) -> None:
    project.case("one")
    report = project.run()
    approve(project)
    config = load_config(project.root, environ={})
    found = show_approval(config, "main")
    assert (found.run, found.approved_by, found.reason) == (report.run, "ana", "release")
    assert (found.passed, found.forced, found.in_force) == (1, False, True)
    assert found.case_set_hash.startswith("sha256:")
    project.case("two")
    project.run()
    approve(project)
    assert len(list_approvals(config)) == 1
    assert [a.in_force for a in list_approvals(config, everything=True)] == [True, False]
    assert show_approval(config, "main").case_set_hash != found.case_set_hash


def test_a_revoked_approval_gives_way_to_the_one_before(project: Project) -> None:
    project.case("one")
    first = project.run().run
    approve(project)
    project.run()
    approve(project)
    config = load_config(project.root, environ={})
    revoked = revoke_approval(config, "main", author="bo", reason="wrong run")
    assert (revoked.revoked_by, revoked.revoke_reason) == ("bo", "wrong run")
    assert show_approval(config, "main").run == first
    revoke_approval(config, "main", author="bo", reason="that one, too")
    with pytest.raises(UsageError, match="no baseline 'main' in force"):
        show_approval(config, "main")


def test_a_run_with_errors_is_approved_by_force_only_and_that_is_kept(project: Project) -> None:
    project.case("one")
    project.agent("def answer(question, **others):\n    raise RuntimeError('down')\n")
    assert project.run().gate.verdict == "undecided"
    with pytest.raises(UsageError, match="1 undecided, so it is a doubtful baseline"):
        approve(project)
    approve(project, force=True)
    assert show_approval(load_config(project.root, environ={}), "main").forced


def test_a_run_of_the_bundled_cases_is_no_baseline_by_the_way(project: Project) -> None:
    from jw_eval_store.store.connect import writing

    project.case("one")
    project.run()
    with writing(project.root / ".jw-eval" / "results.db") as conn:
        conn.execute("UPDATE run SET bundled = 1")
    with pytest.raises(UsageError, match="has only the bundled cases, so it is a doubtful"):
        approve(project)
    approve(project, force=True)


def test_an_interrupted_run_is_never_approved(project: Project) -> None:
    from jw_eval_store.store.connect import writing

    project.case("one")
    project.run()
    with writing(project.root / ".jw-eval" / "results.db") as conn:
        conn.execute("UPDATE run SET status = 'interrupted'")
    for force in (False, True):
        with pytest.raises(UsageError, match="is interrupted, so it can't be a baseline"):
            approve(project, run="01", force=force)


def test_the_latest_approval_holds_though_an_earlier_clock_was_ahead(project: Project) -> None:
    from jw_eval_store.store.connect import writing

    project.case("one")
    project.run()
    approve(project)
    with writing(project.root / ".jw-eval" / "results.db") as conn:
        conn.execute("UPDATE baseline SET ulid = '02' || substr(ulid, 3)")
    second = project.run().run
    approve(project)
    assert show_approval(load_config(project.root, environ={}), "main").run == second


def test_a_run_without_its_results_is_never_approved(project: Project) -> None:
    from jw_eval_store.store.prune import Keep, prune

    project.case("one")
    first = project.run().run
    project.run()
    prune(project.root / ".jw-eval" / "results.db", Keep(newest=1), dry_run=False)
    with pytest.raises(UsageError, match=r"pruned on .*, so it can't be a baseline"):
        approve(project, run=first, force=True)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"name": "last"}, "can't be a baseline's name"),
        ({"name": "a b"}, "can't be a baseline's name"),
        ({"reason": " "}, "needs a reason"),
        ({"author": None}, "it isn't known who"),
        ({"run": "01ZZ"}, "no run '01ZZ'"),
    ],
)
def test_an_approval_without_its_words_is_refused(
    project: Project, more: dict[str, object], message: str
) -> None:
    project.case("one")
    project.run()
    with pytest.raises(UsageError, match=message):
        approve(project, **more)  # type: ignore[arg-type]  # mixed values


def test_a_case_that_passed_and_fails_now_fails_the_gate_and_shows_the_file(
    project: Project,
) -> None:
    project.case("one")
    project.run()
    approve(project)
    project.agent(AGENT.replace("[finding]", "[]"))
    report = project.run(baseline="main", min_pass={"l1": 0.0})
    assert (report.gate.verdict, report.gate.exit_code) == ("failed", 1)
    difference = only(compared(report))
    assert (difference.change, difference.cause) == ("regression", "agent changed")
    assert any("answers.py" in line for line in difference.details)
    for form in ("text", "md"):
        assert "answers.py" in reporter(form).report(report)
    config = load_config(project.root, environ={})
    assert "answers.py" in difference_report(diff_runs(config, "main", "last"), "text")


@pytest.mark.parametrize(("days", "verdict"), [(1, "passed"), (-1, "failed")])
def test_an_accepted_failure_is_listed_until_its_date(
    project: Project, days: int, verdict: str
) -> None:
    until = date.today() + timedelta(days=days)
    project.case("one")
    project.run()
    approve(project)
    (project.root / "policy.yaml").write_text(
        f"accepted:\n  - {{case: one, reason: known bug 7, until: {until}}}\n"
    )
    project.agent(AGENT.replace("[finding]", "[]"))
    report = project.run(baseline="main", min_pass={"l1": 0.0})
    assert report.gate.verdict == verdict
    for form in ("text", "md"):
        assert ("known bug 7" in reporter(form).report(report)) == (days == 1)


def test_a_missing_case_fails_the_gate(project: Project) -> None:
    path = project.case("one")
    project.case("two")
    project.run()
    approve(project)
    path.unlink()
    report = project.run(baseline="main")
    assert report.gate.verdict == "failed"
    assert "1 case passed in the baseline and is missing now: one" in " ".join(report.gate.reasons)


def test_an_edited_case_shows_its_field_and_is_not_compared(project: Project) -> None:
    project.case("one", expected="min_findings: 1")
    project.run()
    approve(project)
    project.case("one", expected="min_findings: 2")
    comparison = compared(project.run(baseline="main"))
    assert only(comparison).details == ("case: expected.min_findings: 1 -> 2",)
    assert comparison.conclusion.startswith("not comparable")


def test_changed_evidence_shows_the_page_with_its_passage(project: Project) -> None:
    project.case("one", "l2")
    project.snapshot("For God so loved the world")
    project.run()
    approve(project)
    project.snapshot("For God so liked the world")
    difference = only(compared(project.run(baseline="main")))
    assert (difference.change, difference.cause) == ("regression", "evidence changed")
    (line,) = difference.details
    assert line.startswith(f"evidence: {URL}#v43:3:16: ")
    assert "loved the world" in line
    assert "-> " in line
    assert "liked the world" in line


def test_the_same_inputs_with_another_verdict_are_unstable_and_fail_the_gate(
    project: Project,
) -> None:
    (project.root / "mood").write_text("good")
    code = AGENT.replace("def answer", "from pathlib import Path\n\ndef answer").replace(
        "[finding]",
        f"[finding] if Path({str(project.root / 'mood')!r}).read_text() == 'good' else []",
    )
    project.agent(code)
    project.case("one")
    project.run()
    approve(project)
    (project.root / "mood").write_text("bad")
    report = project.run(baseline="main", min_pass={"l1": 0.0})
    assert only(compared(report)).change == "unstable"
    assert report.gate.verdict == "failed"


def test_an_accepted_failure_of_no_case_names_the_nearest(project: Project) -> None:
    project.case("l1_psalms")
    (project.root / "policy.yaml").write_text(
        "accepted:\n  - {case: l1_pslams, reason: known, until: 2999-01-01}\n"
        "  - {case: l1_psalms, reason: known, until: 2999-01-01}\n"
    )
    said = [notice for notice in project.run().notices if "names no case" in notice]
    assert said == ["the policy's accepted: l1_pslams names no case; did you mean l1_psalms?"]


def test_a_baseline_file_that_was_cut_is_refused(project: Project, tmp_path: Path) -> None:
    project.case("one")
    project.case("two")
    report, path = project.run(), tmp_path / "main.json"
    path.write_text(report.model_dump_json())
    assert project.run(baseline=str(path)).gate.verdict == "passed"
    path.write_text(report.model_copy(update={"results": report.results[:1]}).model_dump_json())
    with pytest.raises(UsageError, match="is cut: it holds 1 of the 2 results of L1"):
        project.run(baseline=str(path))


def test_no_case_of_a_misspelt_agent_is_called_stable(project: Project) -> None:
    project.case("one")
    project.run()
    config = load_config(project.root, environ={})
    assert unstable(config, agent="answerer") == []
    with pytest.raises(EmptySelectionError, match="agent 'answeer' has no case"):
        unstable(config, agent="answeer")
    with pytest.raises(UsageError, match="no share of verdicts"):
        unstable(config, least=float("nan"))

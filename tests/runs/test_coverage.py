"""The merge policy: what counts, what is missing, and that the views say the same."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.coverage import CoverageReport, CoverageRow
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.policies import AgentCoverage
from jw_eval_store.reports.coverage import coverage_headline
from jw_eval_store.runs.coverage import CoverageRequest, coverage
from jw_eval_store.store.connect import writing
from tests.runs.conftest import Project

POLICY = """
new_cases: 3
coverage:
  answerer: {l1: 3, l2: 1, languages: [und], topics: [doctrine.soul], required: [one, two]}
  other: {l1: 1}
"""


def covered(project: Project, *agents: str, since: str | None = None) -> CoverageReport:
    request = CoverageRequest(agents=agents, new_since=since)
    return coverage(request, load_config(project.root, environ={}))


def row(report: CoverageReport, kind: str, what: str = "", agent: str = "answerer") -> CoverageRow:
    (found,) = (
        r for r in report.rows if (r.agent, r.kind) == (agent, kind) and r.what.startswith(what)
    )
    return found


def gaps(project: Project) -> list[tuple[Any, ...]]:
    """What the view says is missing."""
    columns = "agent, kind, what, required, present, missing"
    return project.rows(f"SELECT {columns} FROM v_coverage_gap ORDER BY agent, kind, what")


def same_as_view(project: Project, report: CoverageReport) -> None:
    ours = [(r.agent, r.kind, r.what, r.required, r.present, r.missing) for r in report.gaps]
    assert gaps(project) == sorted(ours)
    counted = "SELECT sum(cases), sum(passing) FROM v_agent_coverage WHERE agent = 'answerer'"
    layers = [r for r in report.rows if r.agent == "answerer" and r.kind == "layer"]
    if len(layers) == 2:
        total = (sum(r.present for r in layers), sum(r.passing for r in layers))
        assert [(a or 0, b or 0) for a, b in project.rows(counted)] == [total]


def git(project: Project, *arguments: str) -> None:
    name = ("-c", "user.name=ana", "-c", "user.email=ana@example.org")
    command = ["git", "-C", str(project.root), *name, *arguments]
    subprocess.run(command, check=True, capture_output=True)


def commit(project: Project) -> None:
    git(project, "add", "-A")
    git(project, "commit", "-qm", "state", "--allow-empty")


@pytest.fixture
def policy(project: Project) -> Project:
    (project.root / "policy.yaml").write_text(POLICY)
    return project


def test_what_is_missing_is_counted_with_the_command_that_adds_it(policy: Project) -> None:
    policy.case("one")
    report = covered(policy)
    assert not report.ok
    assert (row(report, "layer", "l1").required, row(report, "layer", "l1").present) == (3, 1)
    assert row(report, "layer", "l2").command == "jw-eval cases add --agent answerer --layer 2"
    assert row(report, "required", "two").command == "jw-eval cases add --agent answerer --id two"
    assert row(report, "required", "one").missing == 0
    same_as_view(policy, report)


def test_passing_are_those_whose_current_content_passed(policy: Project) -> None:
    policy.case("one")
    policy.case("two", expected="min_findings: 9")
    policy.run()
    policy.case("three")
    report = covered(policy)
    layer = row(report, "layer", "l1")
    assert (layer.present, layer.passing) == (3, 1)
    same_as_view(policy, report)


def test_a_language_spelt_otherwise_makes_no_other_case(policy: Project) -> None:
    for case, language in (("one", "E"), ("two", "en"), ("three", "es")):
        path = policy.case(case, question="same")
        path.write_text(path.read_text().replace("input:\n", f"input:\n  language: {language}\n"))
    report = covered(policy)
    assert row(report, "layer", "l1").present == 2
    same_as_view(policy, report)


def test_the_same_input_and_expectations_count_once(policy: Project) -> None:
    policy.case("one", question="same")
    policy.case("two", question="same")
    policy.case("three")
    report = covered(policy)
    assert row(report, "layer", "l1").present == 2
    assert row(report, "required", "two").missing == 0
    assert any("two does not count" in note or "one does" in note for note in report.notes)
    same_as_view(policy, report)


def test_a_case_with_a_lint_error_does_not_count_until_it_is_mended(policy: Project) -> None:
    broken = "forbidden_keywords_in_findings: [soul]\nrequired_keywords_any: [soul]"
    policy.case("one", expected=broken)
    report = covered(policy)
    assert row(report, "layer", "l1").present == 0
    assert row(report, "required", "one").missing == 1
    assert any(note.startswith("one does not count: ") for note in report.notes)
    same_as_view(policy, report)
    assert covered(policy).notes == report.notes
    policy.case("one")
    report = covered(policy)
    assert row(report, "layer", "l1").present == 1
    same_as_view(policy, report)


def test_a_refused_file_is_not_green_where_all_rules_are_met(project: Project) -> None:
    (project.root / "policy.yaml").write_text("coverage: {answerer: {l1: 1}}\n")
    path = project.case("one")
    assert covered(project).exit_code == 0
    path.with_name("bad.yaml").write_text("id: [")
    report = covered(project)
    assert (report.gaps, report.ok, report.exit_code) == ((), False, 2)
    assert coverage_headline(report) == "INVALID: 1 file could not be read"
    assert any("bad.yaml" in note for note in report.notes)


def test_a_policy_that_asks_nothing_of_an_agent_is_refused(project: Project) -> None:
    (project.root / "policy.yaml").write_text("coverage: {answerer: {l1: 0}}\n")
    project.case("one")
    with pytest.raises(UsageError, match="asks nothing of answerer"):
        covered(project)


def test_languages_of_the_policy_may_be_spelt_as_in_cases() -> None:
    rules = AgentCoverage(languages=["E", "en", "ES", "bzs"])
    assert rules.languages == ("en", "es", "bzs")


def test_archived_cases_do_not_count(policy: Project) -> None:
    path = policy.case("one")
    policy.case("two")
    assert row(covered(policy), "layer", "l1").present == 2
    path.unlink()
    report = covered(policy)
    assert row(report, "layer", "l1").present == 1
    same_as_view(policy, report)


@pytest.mark.parametrize("agent", ["answere", "nobody"])
def test_an_agent_that_the_policy_does_not_name_is_a_mistake(policy: Project, agent: str) -> None:
    policy.case("one", agent="nobody")
    with pytest.raises(UsageError, match=f"names no agent '{agent}'"):
        covered(policy, agent)


def test_a_policy_without_rules_is_a_mistake(project: Project) -> None:
    project.case("one")
    with pytest.raises(UsageError, match="requires no coverage"):
        covered(project)


def test_old_evidence_and_recordings_are_gaps(policy: Project) -> None:
    more = "freshness: {evidence_days: 30, recording_days: 30}\n"
    (policy.root / "policy.yaml").write_text(POLICY + more)
    policy.case("one", "l2")
    policy.snapshot()
    policy.run()
    report = covered(policy)
    assert (row(report, "evidence").required, row(report, "evidence").present) == (1, 0)
    assert "--agent answerer" in row(report, "evidence").command or row(report, "evidence").command
    with writing(policy.root / ".jw-eval" / "results.db") as conn:
        conn.execute(
            "INSERT INTO recording (id, content_hash, golden_case_id, agent, size, recorded_at)"
            " VALUES (1, 'sha256:1', 1, 'answerer', 0, '2020-01-01T00:00:00.000Z')"
        )
        conn.execute(
            "INSERT INTO current_recording VALUES (1, 'answerer', 1, '2020-01-01T00:00:00.000Z')"
        )
    report = covered(policy)
    assert row(report, "recording").missing == 1
    same_as_view(policy, report)
    with writing(policy.root / ".jw-eval" / "results.db") as conn:
        conn.execute("UPDATE snapshot SET captured_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')")
        conn.execute(
            "UPDATE current_recording SET recorded_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
        )
    report = covered(policy)
    assert (row(report, "evidence").missing, row(report, "recording").missing) == (0, 0)
    same_as_view(policy, report)


def test_what_is_dated_in_the_future_is_not_fresh_for_ever(policy: Project) -> None:
    (policy.root / "policy.yaml").write_text(POLICY + "freshness: {evidence_days: 1}\n")
    policy.case("one", "l2")
    policy.snapshot()
    policy.run()
    assert row(covered(policy), "evidence").what == "not older than 1 day"
    with writing(policy.root / ".jw-eval" / "results.db") as conn:
        conn.execute("UPDATE snapshot SET captured_at = '2999-01-01T00:00:00+00:00'")
    report = covered(policy)
    assert row(report, "evidence").missing == 1
    same_as_view(policy, report)


@pytest.mark.parametrize("how", ["moved", "mended"])
def test_cases_of_a_moved_folder_or_a_mended_file_are_not_new(policy: Project, how: str) -> None:
    git(policy, "init", "-q")
    path = policy.case("one")
    text = path.read_text()
    if how == "mended":
        path.write_text(text.replace("expected:", "expectd:"))
    commit(policy)
    path.write_text(text)
    if how == "moved":
        (policy.root / "cases").rename(policy.root / "golden")
        toml = policy.root / "jw-eval.toml"
        toml.write_text(toml.read_text().replace('"cases"', '"golden"'))
    rows = covered(policy, since="HEAD").rows
    assert [r.present for r in rows if r.kind == "new"] in ([], [0])


def test_a_feature_brings_an_l1_an_l2_and_one_more_case(policy: Project) -> None:
    git(policy, "init", "-q")
    policy.case("one")
    commit(policy)
    policy.case("new_1")
    policy.case("new_2")
    policy.case("new_3")
    report = covered(policy, since="HEAD")
    missing = row(report, "new")
    assert (missing.required, missing.present) == (3, 2)
    assert missing.what == "since HEAD with L2"
    policy.case("new_4", "l2")
    assert row(covered(policy, since="HEAD"), "new").missing == 0


def test_a_renamed_case_and_one_that_was_there_are_not_new(policy: Project) -> None:
    git(policy, "init", "-q")
    path = policy.case("one", question="same")
    policy.case("two")
    commit(policy)
    path.unlink()
    policy.case("renamed", question="same")
    assert row(covered(policy, since="HEAD"), "new", agent="(any)").required == 0
    policy.case("two", expected="min_findings: 2")
    edited = row(covered(policy, since="HEAD"), "new")
    assert (edited.required, edited.present) == (3, 0)
    policy.case("really_new")
    assert row(covered(policy, since="HEAD"), "new").present == 1


def test_only_agents_that_were_touched_owe_new_cases(policy: Project) -> None:
    git(policy, "init", "-q")
    policy.case("one")
    (policy.root / "other.py").write_text("def ask(question): ...\n")
    with (policy.root / "jw-eval.toml").open("a") as file:
        file.write('[agents.other]\ntarget = "other:ask"\n[agents.far]\ntarget = "far.away:ask"\n')
    commit(policy)
    (nobody,) = (r for r in covered(policy, since="HEAD").rows if r.kind == "new")
    assert (nobody.agent, nobody.required, nobody.missing) == ("(any)", 0, 0)
    assert row(covered(policy, "answerer", since="HEAD"), "new").required == 0
    (policy.root / "other.py").write_text("def ask(question): return []\n")
    (policy.root / "notes.md").write_text("nobody's code")
    asked = {r.agent: r.required for r in covered(policy, since="HEAD").rows if r.kind == "new"}
    assert asked == {"other": 3}
    assert row(covered(policy, "answerer", since="HEAD"), "new").required == 0
    (policy.root / "agents" / "helper.py").write_text("new = 1\n")
    assert row(covered(policy, since="HEAD"), "new").missing == 3


def test_an_agent_that_is_asked_for_and_lives_elsewhere_owes_new_cases(policy: Project) -> None:
    (policy.root / "policy.yaml").write_text("coverage: {far: {l1: 1}}\nnew_cases: 3\n")
    git(policy, "init", "-q")
    commit(policy)
    assert row(covered(policy, "far", since="HEAD"), "new", agent="far").missing == 3


def test_each_agent_that_has_new_cases_must_bring_its_own(policy: Project) -> None:
    git(policy, "init", "-q")
    commit(policy)
    policy.case("new_1")
    policy.case("new_2", agent="other")
    report = covered(policy, since="HEAD")
    assert {r.agent for r in report.rows if r.kind == "new"} == {"answerer", "other"}
    with pytest.raises(UsageError, match="git knows no revision 'origin/gone'"):
        covered(policy, since="origin/gone")

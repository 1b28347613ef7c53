"""A run from end to end: real files, a real agent, a real database."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.resources import bundled
from jw_eval_store.runs.syncing import sync_cases
from jw_eval_store.store.cases import find_case
from jw_eval_store.store.connect import transaction, writing
from jw_eval_store.store.runs import start_run
from tests.runs.conftest import AGENT, URL, Project, by_id


def test_every_verdict_stands_in_the_database(project: Project) -> None:
    project.case("one")
    project.case("two", layer="l2")
    project.snapshot()
    report = project.run()
    assert (report.gate.verdict, report.gate.exit_code) == ("passed", 0)
    assert {r.case_id: r.verdict for r in report.results} == {"one": "pass", "two": "pass"}
    assert project.rows("SELECT case_id, verdict FROM v_result ORDER BY 1") == [
        ("one", "pass"),
        ("two", "pass"),
    ]
    assert report.summary["l2"]["passes_by_origin"] == {"imported": 1}


def test_a_failure_has_its_reason_and_its_file(project: Project) -> None:
    path = project.case("one", expected="min_findings: 7")
    report = project.run()
    (result,) = report.results
    assert report.gate.exit_code == 1
    assert result.verdict == "fail"
    assert "7" in result.reasons[0]
    assert result.path == path.as_posix()


def test_missing_evidence_is_an_error_not_a_skip(project: Project) -> None:
    project.case("two", layer="l2")
    report = project.run()
    (result,) = report.results
    assert (result.verdict, result.reason_code) == ("error", "evidence_missing")
    assert report.gate.exit_code == 3


def test_a_night_in_which_every_agent_is_down_is_not_green(project: Project) -> None:
    (project.root / "cases" / "l3").mkdir()
    for name in ("one", "two"):
        (project.root / "cases" / "l3" / f"{name}.yaml").write_text(
            f"id: {name}\nagent: answerer\ninput: {{question: {name}}}\n"
            "golden_answer: God loved the world so much.\n"
        )
    crash = "    raise OSError('down')\n"
    project.agent("def answer(question, **_):\n" + crash)
    down = project.run(layers=("l3",))
    assert (down.gate.verdict, down.gate.exit_code) == ("undecided", 3)
    answered = "    return [{'text': 'God made it.', 'url': 'https://example.org'}]\n"
    project.agent(f"def answer(question, **_):\n    if question == 'one':\n    {crash}{answered}")
    half = project.run(layers=("l3",))
    assert {r.reason_code for r in half.results} == {"agent_crash", "judge_unreachable"}
    assert (half.gate.exit_code, half.gate.reported_only) == (0, True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return None", "agent_bad_output"),
        ("raise ValueError('broken')", "agent_crash"),
        ("import time; time.sleep(5)", "agent_timeout"),
        ("raise SystemExit(0)", "agent_crash"),
        ("return AgentResult(question, 'a', [Finding('x' * 10_000_000, Citation('u'))])",
         "agent_bad_output"),
    ],
)  # fmt: skip
def test_what_an_agent_does_wrong_is_that_cases_error(
    project: Project, body: str, code: str
) -> None:
    project.agent(AGENT.replace("def answer(question, **others):", _SOMETIMES + f"        {body}"))
    project.configure("timeout = 0.3\n")
    project.case("bad")
    project.case("good")
    report = project.run()
    found = by_id(report)
    assert (found["bad"].verdict, found["bad"].reason_code) == ("error", code)
    assert found["good"].verdict == "pass"
    assert report.gate.exit_code == 3


_SOMETIMES = "def answer(question, **others):\n    if question == 'bad':\n"


def test_what_an_agent_prints_is_kept_with_its_failure(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.agent(AGENT.replace("    finding =", "    print('noise')\n    finding ="))
    project.case("one", expected="min_findings: 7")
    report = project.run()
    assert "noise" in str(report.results[0].details["log"])
    assert "noise" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "selection",
    [
        {"agents": ("answerr",)},
        {"case_ids": ("oen",)},
        {"languages": ("xx",)},
        {"topics": ("nothing",)},
        {"agents": ("answerer", "answerr")},
        {"tags": ("none",)},
    ],
)
def test_a_typo_in_a_filter_is_never_green(project: Project, selection: dict[str, Any]) -> None:
    project.case("one")
    with pytest.raises(EmptySelectionError):
        project.run(**selection)


def test_an_empty_registry_is_never_green(project: Project) -> None:
    with pytest.raises(EmptySelectionError, match="no golden case"):
        project.run()


def test_a_layer_asked_for_by_name_must_have_cases(project: Project) -> None:
    project.case("one")
    assert project.run().gate.exit_code == 0
    with pytest.raises(EmptySelectionError, match="L2"):
        project.run(layers_asked=True)


def test_an_unknown_agent_is_an_error_of_its_cases_only(project: Project) -> None:
    project.case("one", agent="nobody")
    project.case("two")
    report = project.run()
    assert by_id(report)["one"].reason_code == "agent_unavailable"
    assert by_id(report)["two"].verdict == "pass"
    assert report.gate.exit_code == 3


def test_an_unchanged_suite_is_reused_whole(project: Project) -> None:
    project.case("one")
    project.case("two")
    first = project.run()
    second = project.run(since="last")
    assert {r.reused for r in second.results} == {True}
    assert second.gate.exit_code == 0
    assert first.run in second.results[0].why
    assert project.rows("SELECT count(*) FROM evaluation") == [(2,)]


def test_without_since_everything_is_run_again(project: Project) -> None:
    project.case("one")
    project.run()
    assert not project.run().results[0].reused


def test_a_failure_is_never_reused(project: Project) -> None:
    project.case("one", expected="min_findings: 7")
    project.run()
    report = project.run(since="last", explain=True)
    assert not report.results[0].reused
    assert "never reused" in report.results[0].why


def test_each_input_that_changes_is_named(project: Project) -> None:
    project.snapshot()
    path = project.case("one")
    project.case("two", layer="l2")
    project.run()

    path.write_text(path.read_text().replace("min_findings: 1", "max_findings: 9"))
    edited = by_id(project.run(since="last", explain=True))
    assert "case edited: expected: max_findings, expected: min_findings" in edited["one"].why
    assert edited["two"].reused

    project.snapshot("He so loved the world, it says")
    page = by_id(project.run(since="last", explain=True))
    assert f"evidence changed: {URL}" in page["two"].why
    assert page["one"].reused

    project.agent(AGENT + "\n# changed\n")
    agent = by_id(project.run(since="last", explain=True))
    assert "answers.py" in agent["one"].why
    assert not agent["two"].reused


def test_a_comment_or_metadata_runs_nothing_again(project: Project) -> None:
    path = project.case("one")
    project.run()
    path.write_text("# a comment\n" + path.read_text() + "metadata: {topic: x}\n")
    assert project.run(since="last").results[0].reused
    assert project.rows("SELECT count(*) FROM case_revision") == [(2,)]


def test_going_back_to_inputs_that_failed_last_is_run_again(project: Project) -> None:
    project.case("one", expected="required_keywords_any: [flaky]")
    project.agent(AGENT.replace('"About "', '"flaky "'))
    project.run()
    project.agent()
    assert project.run().gate.exit_code == 1
    assert not project.run(since="last").results[0].reused


def test_a_bad_file_stops_no_other_and_makes_exit_2(project: Project) -> None:
    project.case("one")
    (project.root / "cases" / "l1" / "bad.yaml").write_text("id: bad\nagnet: answerer\n")
    for _ in range(2):
        report = project.run()
        assert report.gate.exit_code == 2
        assert by_id(report)["one"].verdict == "pass"
        assert {file.path.rpartition("/")[2] for file in report.invalid_files} == {"bad.yaml"}
        assert 2 in {file.line for file in report.invalid_files}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "expected",
    [
        "min_findings: 0",
        "sources_order: first_seen",
        "min_findings: 0\nsources_order: first_seen",
        'forbidden_keywords_in_findings: ["\\u200b"]',
        'min_findings: 1\nforbidden_keywords_in_findings: ["¿"]',
    ],
)
def test_a_case_that_no_answer_could_fail_is_refused_like_a_broken_one(
    project: Project, expected: str
) -> None:
    project.case("one")
    path = project.case("empty", expected=expected)
    for _ in range(2):
        report = project.run(since="last")
        assert (report.gate.exit_code, set(by_id(report))) == (2, {"one"})
        assert report.invalid_files
        for file in report.invalid_files:
            assert (file.path, file.line is not None) == (path.as_posix(), True)
            assert file.hint in ("expect something, such as min_findings: 1", "write words")


def test_a_case_that_cannot_fail_and_was_stored_earlier_is_an_error(project: Project) -> None:
    project.case("one")
    project.run()
    with writing(project.root / ".jw-eval" / "results.db") as conn:
        conn.execute(
            "UPDATE case_revision SET definition = replace(definition, ?, ?)",
            ('"min_findings":1', '"min_findings":0'),
        )
    report = project.run()
    assert report.gate.exit_code == 3
    [result] = report.results
    assert result.reason_code == "case_cannot_fail"
    assert "jw-eval cases edit one" in result.reasons[-1]


def test_a_case_whose_file_is_gone_is_archived_and_that_is_said(project: Project) -> None:
    path = project.case("one")
    project.case("two")
    project.run()
    path.unlink()
    report = project.run()
    assert set(by_id(report)) == {"two"}
    assert "archived one" in " ".join(report.notices)
    project.case("one")
    assert set(by_id(project.run())) == {"one", "two"}


def test_a_file_that_moves_keeps_its_case(project: Project) -> None:
    path = project.case("one")
    project.run()
    path.rename(path.with_name("other_name.yaml"))
    report = project.run(since="last")
    assert report.results[0].reused
    assert not report.notices


def test_a_project_may_move_with_its_database(project: Project, tmp_path: Path) -> None:
    project.case("one")
    project.case("two", layer="l2")
    project.snapshot()
    project.run()
    moved = Project(tmp_path / "restored" / "elsewhere")
    shutil.copytree(project.root, moved.root)
    report = moved.run(since="last")
    assert report.gate.exit_code == 0
    assert report.invalid_files == ()
    assert {r.reused for r in report.results} == {True}


def test_cases_of_a_folder_that_is_configured_no_longer_are_said(project: Project) -> None:
    project.case("one")
    project.case("two")
    assert project.run().notices == ()
    (project.root / "other").mkdir()
    config = project.root / "jw-eval.toml"
    config.write_text(config.read_text().replace('"cases"', '"other"'))
    (notice,) = project.run().notices
    assert notice.startswith(f"2 cases (one, ...) of the registry came from {project.root}/cases,")
    shutil.move(project.root / "cases" / "l1", project.root / "other")
    assert project.run().notices == ()


def test_two_checkouts_of_one_database_each_judge_their_own_files(
    project: Project, tmp_path: Path
) -> None:
    project.case("one")
    project.case("two")
    other = Project(tmp_path / "worktree")
    shutil.copytree(project.root, other.root)
    for checkout in (project, other):
        config = checkout.root / "jw-eval.toml"
        config.write_text(f'db = "{tmp_path / "shared.db"}"\n' + config.read_text())
    assert (project.run().gate.exit_code, other.run().gate.exit_code) == (0, 0)
    other.case("one", expected="min_findings: 7")
    (other.root / "cases" / "l1" / "two.yaml").unlink()
    assert other.run().gate.exit_code == 1
    for _ in range(2):
        report = project.run(since="last")
        assert {r.case_id: r.verdict for r in report.results} == {"one": "pass", "two": "pass"}
        assert report.gate.exit_code == 0
        assert by_id(other.run(since="last"))["one"].verdict == "fail"
    project.case("one", expected="min_findings: 1\nmax_findings: 1")
    assert project.run().gate.exit_code == 0


def test_a_folder_that_is_gone_archives_nothing(project: Project) -> None:
    project.case("one")
    project.run()
    (project.root / "cases").rename(project.root / "elsewhere")
    with pytest.raises(UsageError, match="does not exist"):
        project.run()
    assert project.rows("SELECT count(*) FROM v_case WHERE archived_at IS NULL") == [(1,)]


def test_the_same_id_in_two_files_names_both(project: Project) -> None:
    path = project.case("one")
    other = path.with_name("other.yaml")
    other.write_text(path.read_text())
    report = project.run()
    assert report.gate.exit_code == 2
    assert report.invalid_files[0].path == other.as_posix()
    assert path.as_posix() in report.invalid_files[0].message


def test_a_refused_file_counts_once_what_stood_against_it_is_gone(project: Project) -> None:
    path = project.case("one")
    other = path.with_name("other.yaml")
    other.write_text(path.read_text())
    assert project.run().gate.exit_code == 2
    path.unlink()
    report = project.run()
    assert report.gate.exit_code == 0
    assert by_id(report)["one"].path is None
    assert [r.case_id for r in report.results] == ["one"]


def test_touching_a_refused_file_makes_it_no_better(project: Project) -> None:
    project.case("one")
    bad = project.root / "cases" / "l1" / "bad.yaml"
    bad.write_text("id: bad\n")
    assert project.run().gate.exit_code == 2
    os.utime(bad, ns=(1, 1))
    assert project.run().gate.exit_code == 2


def test_fail_fast_stops_and_says_what_was_not_asked(project: Project) -> None:
    project.case("a0", expected="min_findings: 7")
    for number in range(1, 40):
        project.case(f"b{number:02}")
    report = project.run(fail_fast=True, jobs=1)
    skipped = [r for r in report.results if r.verdict == "skip"]
    assert report.gate.exit_code == 1
    assert len(report.results) == 40
    assert skipped
    assert "a0" in skipped[-1].reasons[0]
    assert not project.run(since="last").results[0].reused


def test_a_baseline_file_shows_what_got_worse(project: Project, tmp_path: Path) -> None:
    project.case("one")
    project.case("two")
    file = tmp_path / "last-run.json"
    file.write_text(project.run().model_dump_json())
    project.agent(AGENT.replace('"About " + question', '"About " + question * (question != "one")'))
    project.case("one", expected="required_keywords_any: [one]")
    report = project.run(baseline=str(file))
    assert report.diff_vs_baseline is not None
    (difference,) = report.diff_vs_baseline.of("regression")
    assert difference.case_id == "one"
    assert "case edited" in difference.cause
    assert "agent changed" in difference.cause
    assert report.gate.exit_code == 1


def test_a_baseline_of_other_cases_compares_nothing_and_is_never_green(project: Project) -> None:
    project.case("one")
    project.case("two", "l2")
    project.snapshot()
    structural = project.run(layers=("l1",))
    report = project.run(layers=("l2",), baseline=structural.run)
    assert by_id(report)["two"].verdict == "pass"
    assert report.gate.exit_code == 5
    assert "nothing was compared" in report.gate.reasons[0]
    assert project.run(layers=("l1", "l2"), baseline=structural.run).gate.exit_code == 0


def test_a_subset_misses_nothing_of_the_baseline(project: Project) -> None:
    project.case("one")
    project.case("two", question="other")
    first = project.run()
    report = project.run(case_ids=("one",), baseline=first.run)
    assert report.diff_vs_baseline is not None
    assert report.diff_vs_baseline.differences == ()
    assert report.gate.exit_code == 0


@pytest.mark.parametrize("name", ["nothing", "nothing.json"])
def test_an_unknown_baseline_is_an_error(project: Project, name: str) -> None:
    project.case("one")
    with pytest.raises(UsageError):
        project.run(baseline=name)


@pytest.mark.parametrize("query", ["question", "'always'"])
def test_one_answer_to_all_questions_is_reported(project: Project, query: str) -> None:
    constant = AGENT.replace('"About " + question', '"Always"')
    project.agent(constant.replace('AgentResult(question, "', f'AgentResult({query}, "'))
    project.case("one")
    project.case("two")
    assert "same answer to 2 different inputs: one, two" in " ".join(project.run().notices)


def test_authored_evidence_serves_only_where_the_policy_allows_it(project: Project) -> None:
    project.case("two", layer="l2")
    project.snapshot()
    assert project.run().gate.exit_code == 0
    (project.root / "policy.yaml").write_text("origins: [captured]\n")
    report = project.run(since="last")
    assert report.results[0].reason_code == "evidence_origin"


def test_a_resumed_run_keeps_what_it_was_started_with(project: Project) -> None:
    project.case("own")
    with writing(project.root / ".jw-eval" / "results.db") as conn:
        sync_cases(conn, [bundled("seeds")], bundled=True)
        row = find_case(conn, "l1_apologetics_trinity_es")
        assert row is not None
        with transaction(conn):
            run = start_run(
                conn,
                {"selection": {}, "repeat": 2},
                bundled=True,
                git=None,
                tool_version="1",
                policy=None,
            )
            conn.execute("INSERT INTO run_result VALUES (?, ?, NULL)", (run.key, row.key))
            conn.execute("UPDATE run SET status = 'interrupted'")
    report = project.run(resume="last")
    assert report.bundled
    assert [(r.case_id, r.verdict) for r in report.results] == [(row.case_id, "pass")]
    assert project.rows("SELECT repeat, verdict FROM evaluation ORDER BY 1") == [
        (0, "pass"),
        (1, "pass"),
    ]


def test_bundled_cases_beside_own_ones_may_rest_on_authored_evidence(project: Project) -> None:
    project.case("own")
    project.configure(
        "[agents.apologetics]\ntarget = 'jw_eval_store.sample.apologetics:apologetics'\n"
    )
    text = (project.root / "jw-eval.toml").read_text()
    (project.root / "jw-eval.toml").write_text("samples = true\n" + text)
    report = project.run(layers=("l1", "l2"))
    assert {r.verdict for r in report.results if r.agent == "verse_explainer"} == {"pass"}
    again = project.run(layers=("l1", "l2"), since="last")
    assert {r.reused for r in again.results if r.agent == "verse_explainer"} == {True}


def test_a_helper_beside_the_package_makes_stale_what_used_it(project: Project) -> None:
    (project.root / "kit").mkdir()
    (project.root / "kit/__init__.py").write_text("")
    body = "def answer(question):\n    import helper\n    return [{'text': helper.SAID}]\n"
    (project.root / "kit/agent.py").write_text(body)
    (project.root / "helper.py").write_text("SAID = 'good'\n")
    (project.root / "jw-eval.toml").write_text(
        'cases = ["cases"]\n[agents.answerer]\ntarget = "kit.agent:answer"\n'
    )
    project.case("one", expected="min_findings: 1\nforbidden_keywords_in_findings: [bad]")
    assert project.run().gate.exit_code == 0
    assert not project.run(since="last").results[0].reused  # only now is the helper known
    assert project.run(since="last").results[0].reused
    (project.root / "helper.py").write_text("SAID = 'bad!'\n")
    assert project.run(since="last").gate.exit_code == 1


@pytest.mark.long
def test_a_helper_beside_a_package_in_process_makes_stale_what_imports_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "kit_p").mkdir()
    (project.root / "kit_p/__init__.py").write_text("")
    body = "import helper_p\ndef answer(question):\n    return [{'text': helper_p.SAID}]\n"
    (project.root / "kit_p/agent.py").write_text(body)
    (project.root / "helper_p.py").write_text("SAID = 'good'\n")
    (project.root / "jw-eval.toml").write_text(
        'cases = ["cases"]\n[agents.answerer]\ntarget = "kit_p.agent:answer"\n'
        'isolation = "in_process"\n'
    )
    monkeypatch.syspath_prepend(str(project.root))
    project.case("one", expected="min_findings: 1\nforbidden_keywords_in_findings: [bad]")
    assert project.run().gate.exit_code == 0
    assert project.run(since="last").results[0].reused
    (project.root / "helper_p.py").write_text("SAID = 'bad!'\n")
    for name in ("helper_p", "kit_p", "kit_p.agent"):
        del sys.modules[name]
    assert project.run(since="last").gate.exit_code == 1


def edit_unseen(path: Path, old: str, new: str) -> None:
    """Change a file so that its size and modification time stay as they were."""
    stat = path.stat()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_an_edit_that_keeps_size_and_time_is_seen(project: Project) -> None:
    case = project.case("one")
    project.case("two", layer="l2")
    project.snapshot()
    assert project.run().gate.exit_code == 0
    edit_unseen(case, "min_findings: 1", "min_findings: 9")
    (page,) = (project.root / "snapshots" / "wol").iterdir()
    edit_unseen(page, "loved", "hated")
    found = by_id(project.run(since="last"))
    assert (found["one"].verdict, found["two"].reason_code) == ("fail", "evidence_missing")


def test_the_demonstration_takes_no_pages_evidence_for_good(project: Project) -> None:
    project.case("two", layer="l2")
    project.snapshot()
    for _ in range(2):
        assert project.run().gate.exit_code == 0
        assert project.run(bundled=True, agents=("verse_explainer",)).gate.exit_code == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("changed", ["nothing", "case", "agent", "evidence", "policy"])
def test_a_run_is_not_resumed_on_other_inputs(project: Project, changed: str) -> None:
    project.case("one")
    project.case("two", layer="l2")
    project.case("three")
    project.snapshot()
    project.run()
    with writing(project.root / ".jw-eval" / "results.db") as conn:
        conn.execute("UPDATE run SET status = 'interrupted'")
        conn.execute(
            "UPDATE run_result SET evaluation_id = NULL WHERE golden_case_id ="
            " (SELECT id FROM golden_case WHERE case_id = 'three')"
        )
        conn.execute("DELETE FROM evaluation WHERE id NOT IN (SELECT evaluation_id FROM run_result"
                     " WHERE evaluation_id IS NOT NULL)")  # fmt: skip
    if changed == "case":
        project.case("one", expected="min_findings: 9")
    elif changed == "agent":
        project.agent(AGENT + "\n# edited\n")
    elif changed == "evidence":
        project.snapshot("For God so hated the world")
    elif changed == "policy":
        (project.root / "policy.yaml").write_text("origins: [captured]\n")
    if changed == "nothing":
        assert len(project.run(resume="last").results) == 3
        return
    with pytest.raises(UsageError, match=r"inputs of . of its verdicts have changed"):
        project.run(resume="last")
    assert project.rows("SELECT status FROM run") == [("interrupted",)]


def test_a_baseline_file_with_a_case_twice_is_refused(project: Project) -> None:
    project.case("one")
    report = project.run()
    twice = report.model_copy(update={"results": report.results * 2})
    path = project.root / "before.json"
    path.write_text(twice.model_dump_json())
    with pytest.raises(UsageError, match="more than once"):
        project.run(baseline=str(path))


def test_an_archived_case_that_is_asked_for_names_the_command_that_brings_it_back(
    project: Project,
) -> None:
    path = project.case("one")
    project.case("two")
    project.run()
    path.unlink()
    with pytest.raises(EmptySelectionError, match="'one' is archived") as caught:
        project.run(case_ids=("one",))
    assert caught.value.hint == "jw-eval cases restore one"


def test_a_recordings_folder_that_does_not_exist_is_named(project: Project) -> None:
    project.case("one")
    config = project.root / "jw-eval.toml"
    config.write_text('recordings = "tapes"\n' + config.read_text())
    said = " ".join(project.run().notices)
    assert f"the recordings folder {project.root / 'tapes'} does not exist" in said
    (project.root / "tapes").mkdir()
    assert "tapes" not in " ".join(project.run().notices)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("option", "verdict"),
    [('outage_patterns = ["closed for the day"]', "error"), ("max_output = 20", "error"),
     ("loopback = true", "pass")],
)  # fmt: skip
def test_an_option_that_may_refuse_an_answer_makes_earlier_verdicts_stale(
    project: Project, option: str, verdict: str
) -> None:
    warning = '"answerer", [finding], ["closed for the day"])'
    project.agent(AGENT.replace('"answerer", [finding])', warning))
    project.case("one")
    assert project.run().results[0].verdict == "pass"
    assert project.run(since="last").results[0].reused
    project.configure(option)
    result = project.run(since="last").results[0]
    assert (result.verdict, result.reused) == (verdict, False)

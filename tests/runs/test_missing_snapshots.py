"""Evidence that the configured folder holds no longer is no evidence, whatever the store keeps."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.reports import SuiteReport
from jw_eval_store.runs.given import Given
from jw_eval_store.runs.registry.showing import list_cases
from jw_eval_store.runs.rejudging import RejudgeRequest, rejudge
from tests.runs.conftest import URL, Project, by_id


def gone(project: Project) -> None:
    page(project).unlink()


def emptied(project: Project) -> None:
    shutil.rmtree(project.root / "snapshots")
    (project.root / "snapshots").mkdir()


def cut_to_nothing(project: Project) -> None:
    page(project).write_text("")


def altered_by_a_byte(project: Project) -> None:
    page(project).write_text(page(project).read_text().replace("loved", "lived"))


def without_manifest(project: Project) -> None:
    (project.root / "snapshots" / "manifest.yaml").unlink()


def no_longer_listed(project: Project) -> None:
    (project.root / "snapshots" / "manifest.yaml").write_text("version: 1\nsnapshots: []\n")


def configured_elsewhere(project: Project) -> None:
    (project.root / "other").mkdir()
    reconfigure(project, 'snapshots = "snapshots"', 'snapshots = "other"')


def configured_no_longer(project: Project) -> None:
    reconfigure(project, 'snapshots = "snapshots"', "")


def page(project: Project) -> Path:
    (found,) = (project.root / "snapshots" / "wol").iterdir()
    return found


def reconfigure(project: Project, old: str, new: str) -> None:
    config = project.root / "jw-eval.toml"
    config.write_text(config.read_text().replace(old, new))


CITES = f"[{{url: '{URL}', phrases: [loved the world]}}]"


def semantic(project: Project, cites: str = CITES) -> None:
    project.configure('[embedder]\nbackend = "none"\n[judge]\nllm = "none"\n')
    (project.root / "policy.yaml").write_text("gate: {l3: {min_pass: 1.0, blocking: true}}\n")
    file = project.root / "cases" / "l3" / "three.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(
        "id: three\nagent: answerer\ninput: {question: what}\n"
        f"expected_citations: {cites}\ngolden_answer: God so loved the world.\n"
        "judge: {primary: llm}\n"
    )


def judged_again(project: Project) -> SuiteReport:
    return rejudge(RejudgeRequest(given=LENIENT), load_config(project.root, environ={}))


def told(report: SuiteReport) -> str:
    return "".join([*report.notices, *(file.message for file in report.invalid_files)])


LENIENT = Given(judge=lambda prompt: '{"verdict": "pass", "reason": "it says so"}')
STATES = pytest.mark.parametrize(
    ("become", "exit_code", "said"),
    [
        (gone, 2, "is missing"),
        (cut_to_nothing, 2, "was changed"),
        (altered_by_a_byte, 2, "was changed"),
        (emptied, 3, "is gone or not valid"),
        (without_manifest, 3, "is gone or not valid"),
        (no_longer_listed, 3, "is gone or not valid"),
        (configured_elsewhere, 3, "other does not hold it"),
        (configured_no_longer, 3, "no snapshots folder is configured that holds it"),
    ],
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("since", [pytest.param(None, marks=pytest.mark.long), "last"])
@STATES
def test_evidence_that_the_folder_holds_no_longer_is_missed(
    project: Project,
    become: Callable[[Project], None],
    exit_code: int,
    said: str,
    since: str | None,
) -> None:
    project.case("two", layer="l2")
    project.snapshot()
    assert project.run().gate.exit_code == 0
    become(project)
    report = project.run(since=since)
    assert by_id(report)["two"].reason_code == "evidence_missing"
    assert report.gate.exit_code == exit_code
    assert said in told(report)
    assert project.run(since="last").gate.exit_code == exit_code


@pytest.mark.sampled(3)
@STATES
def test_it_is_missed_where_answers_are_judged_again(
    project: Project, become: Callable[[Project], None], exit_code: int, said: str
) -> None:
    semantic(project)
    project.snapshot()
    assert project.run(layers=("l3",), given=LENIENT).gate.exit_code == 0
    assert judged_again(project).gate.exit_code == 0
    become(project)
    report = judged_again(project)
    assert by_id(report)["three"].reason_code == "evidence_missing"
    assert (report.gate.exit_code, said in told(report)) == (exit_code, True)


def test_judging_again_misses_what_only_the_case_of_then_cites(project: Project) -> None:
    semantic(project)
    project.snapshot()
    first = project.run(layers=("l3",), given=LENIENT)
    semantic(project, cites="[]")
    assert project.run(layers=("l3",), given=LENIENT).gate.exit_code == 0
    configured_elsewhere(project)
    request = RejudgeRequest(run=first.run, given=LENIENT)
    report = rejudge(request, load_config(project.root, environ={}))
    assert by_id(report)["three"].reason_code == "evidence_missing"
    assert "other does not hold it" in told(report)


def test_judging_again_reads_no_case(project: Project) -> None:
    semantic(project)
    project.snapshot()
    project.run(layers=("l3",), given=LENIENT)
    semantic(project, cites="[]")
    assert judged_again(project).gate.exit_code == 0
    assert project.rows("SELECT count(*) FROM case_revision") == [(1,)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("settings", ['snapshots = "other"', 'cases = ["cases"]', ""])
def test_looking_takes_no_evidence_away(project: Project, tmp_path: Path, settings: str) -> None:
    project.case("two", layer="l2")
    project.snapshot()
    assert project.run().gate.exit_code == 0
    other = tmp_path / "elsewhere"
    for folder in ("other", "cases"):
        (other / folder).mkdir(parents=True)
    database = project.root / ".jw-eval" / "results.db"
    (other / "jw-eval.toml").write_text(f"db = '{database}'\n{settings}\n")
    list_cases(load_config(other, environ={}))
    assert project.rows("SELECT count(current_snapshot_id) FROM page") == [(1,)]
    configured_elsewhere(project)
    list_cases(load_config(project.root, environ={}))
    assert "other does not hold it" in told(project.run())


def test_a_configuration_without_folders_of_its_own_takes_no_evidence_away(
    project: Project,
) -> None:
    project.case("two", layer="l2")
    project.snapshot()
    assert project.run().gate.exit_code == 0
    configured_no_longer(project)
    reconfigure(project, 'cases = ["cases"]', "")
    report = project.run()
    assert (report.gate.exit_code, report.notices) == (0, ())


@pytest.mark.parametrize("since", [None, "last"])
def test_a_snapshots_folder_that_was_renamed_is_refused(
    project: Project, since: str | None
) -> None:
    project.case("two", layer="l2")
    project.snapshot()
    assert project.run().gate.exit_code == 0
    (project.root / "snapshots").rename(project.root / "renamed")
    with pytest.raises(UsageError, match=r"the snapshots folder .* does not exist"):
        project.run(since=since)
    reconfigure(project, 'snapshots = "snapshots"', 'snapshots = "renamed"')
    report = project.run(since="last")
    assert (report.gate.exit_code, report.notices) == (0, ())
    assert by_id(report)["two"].reused


def test_two_checkouts_of_one_database_each_have_their_own_pages(
    project: Project, tmp_path: Path
) -> None:
    project.case("two", layer="l2")
    other = Project(tmp_path / "worktree")
    shutil.copytree(project.root, other.root)
    project.snapshot()
    for checkout in (project, other):
        config = checkout.root / "jw-eval.toml"
        config.write_text(f'db = "{tmp_path / "shared.db"}"\n' + config.read_text())
    for _ in range(2):
        assert project.run(since="last").gate.exit_code == 0
        assert other.run(since="last").gate.exit_code == 3


def test_a_folder_of_pages_may_be_a_link(project: Project, tmp_path: Path) -> None:
    project.case("two", layer="l2")
    project.snapshot()
    pages = project.root / "snapshots" / "wol"
    shutil.move(pages, tmp_path / "shared")
    pages.symlink_to(tmp_path / "shared", target_is_directory=True)
    for since in (None, "last"):
        report = project.run(since=since)
        assert (report.gate.exit_code, report.notices) == (0, ())
    assert by_id(report)["two"].reused
    gone(project)
    report = project.run(since="last")
    assert by_id(report)["two"].reason_code == "evidence_missing"
    assert report.gate.exit_code == 2

"""The commands about snapshots and drift, in this process, against the site on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from jw_eval_cli.main import cli
from jw_eval_store.pages.fetching import fetcher
from tests.fetching.site import Reply
from tests.live.conftest import LiveProject
from tests.live.pages import FIRST, changed, numbered, of_type

CHAPTER = of_type("chapter")
SENTENCE = CHAPTER.passages()[FIRST][1]
Invoke = Callable[..., Result]


@pytest.fixture
def invoke(project: LiveProject, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Call the command line in the project's folder, with the site in place of the internet."""
    project.configure("fetch_pace = 0\n")
    monkeypatch.chdir(project.root)
    monkeypatch.setattr(fetcher, "Network", project.site.network)
    return lambda *arguments: CliRunner().invoke(cli, [*arguments])


def test_a_page_from_its_first_capture_to_its_accepted_change(
    project: LiveProject, invoke: Invoke
) -> None:
    key = project.page(CHAPTER, "bread")
    built = invoke("snapshots", "build")
    assert (built.exit_code, built.stdout) == (0, f"stored   {key}\n1 stored\n")
    assert invoke("snapshots", "build", "--missing").stdout == "nothing to do\n"
    assert invoke("snapshots", "verify").exit_code == 0
    assert invoke("snapshots", "check").exit_code == 0
    assert invoke("snapshots", "drift").stdout == "no change on 1 page\n"

    inverted = SENTENCE.replace("carried", "never carried")
    project.site.play(CHAPTER.path, CHAPTER.html(changed(CHAPTER.passages(), FIRST, inverted)))
    checked = invoke("snapshots", "check", "--case", "bread")
    assert checked.exit_code == 1
    assert checked.stdout.splitlines()[0] == f"PROBLEM   claim_changed      {key}"
    assert "{+never+}" in invoke("snapshots", "drift", key).stdout
    dry = invoke("drift", "issues", "--dry-run")
    assert dry.exit_code == 0
    assert "would open claim changed: wol.jw.org" in dry.stdout

    refreshed = invoke("snapshots", "refresh", key)
    assert (refreshed.exit_code, refreshed.stdout.split()[0]) == (0, "waiting")
    accepted = invoke("snapshots", "accept", key, "--reason", "so it is")
    assert (accepted.exit_code, accepted.stdout.split()[0]) == (0, "stored")
    assert invoke("snapshots", "check").exit_code == 0
    assert invoke("snapshots", "verify").exit_code == 0


def test_run_live_writes_what_the_script_reads(
    project: LiveProject, invoke: Invoke, tmp_path: Path
) -> None:
    project.page(CHAPTER, "bread")
    invoke("snapshots", "build")
    project.site.play(CHAPTER.path, Reply(status=404))
    out = tmp_path / "l2-live.json"
    run = invoke("run", "--layer", "2", "--live", "--report", "json", "--out", str(out))
    assert run.exit_code == 0
    assert "REPORTED: 0 of 1 case passed, 1 failed" in run.stderr
    assert json.loads(out.read_text())["results"][0]["details"]["pages"][0]["status"] == "gone"
    assert invoke("run", "--layer", "2", "--live", "--gate-live").exit_code == 1
    issues = invoke("drift", "issues", "--dry-run", "--from", str(out))
    assert "would open gone: wol.jw.org" in issues.stdout


def test_pages_out_of_reach_are_exit_code_3_and_refused_ones_1(
    project: LiveProject, invoke: Invoke
) -> None:
    project.page(CHAPTER, "bread", Reply(status=403))
    blocked = invoke("snapshots", "build")
    assert (blocked.exit_code, "(blocked)" in blocked.stdout) == (3, True)
    project.site.play(CHAPTER.path, Reply(status=404))
    assert invoke("snapshots", "build").exit_code == 1
    project.site.play(CHAPTER.path, CHAPTER.html())
    assert invoke("snapshots", "build").exit_code == 0
    project.site.play(CHAPTER.path, Reply(status=403))
    assert invoke("snapshots", "refresh").exit_code == 3


def test_what_could_not_be_decided_is_exit_code_3(project: LiveProject, invoke: Invoke) -> None:
    project.page(CHAPTER, "bread")
    invoke("snapshots", "build")
    project.site.play(CHAPTER.path, Reply(status=403))
    checked = invoke("snapshots", "check", "--format", "json")
    assert checked.exit_code == 3
    assert json.loads(checked.stdout)[0]["status"] == "blocked"
    assert invoke("drift", "issues", "--dry-run").stdout.startswith("no issue to open")


def test_what_can_not_be_captured_is_exit_code_1(project: LiveProject, invoke: Invoke) -> None:
    project.page(CHAPTER, "bread")
    key = project.page(numbered(CHAPTER, 1), "lost", Reply(status=404))
    built = invoke("snapshots", "build", "--format", "json")
    assert built.exit_code == 1
    outcomes = {page["fetch_key"]: page["outcome"] for page in json.loads(built.stdout)}
    assert outcomes[key] == "refused"
    assert sorted(outcomes.values()) == ["refused", "stored"]
    assert invoke("snapshots", "accept").exit_code == 5
    assert invoke("snapshots", "refresh", "https://wol.jw.org/x").exit_code == 5


def test_a_saved_page_is_imported(project: LiveProject, invoke: Invoke) -> None:
    project.page(CHAPTER, "bread")
    (project.root / "saved.html").write_text(CHAPTER.html())
    url = CHAPTER.cited_url
    assert invoke("snapshots", "import", "saved.html", "--url", url).exit_code == 0
    assert "seven loaves" in invoke("snapshots", "show", url).stdout
    (project.root / "other.html").write_text("<p>Not found</p>")
    refused = invoke("snapshots", "import", "other.html", "--url", url)
    assert refused.exit_code == 2
    assert "is not the page" in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "--gate-live"),
        ("run", "--live", "--layer", "1"),
        ("run", "--live", "--since", "last"),
        ("snapshots", "import", "saved.html"),
        ("snapshots", "build", "--evidence", "all"),
        ("drift", "issues", "--from", "nowhere.json"),
        ("drift", "issues", "--repo", "no repository", "--from", "l2-live.json"),
    ],
)
def test_wrong_usage_is_exit_code_2(
    project: LiveProject, invoke: Invoke, arguments: tuple[str, ...]
) -> None:
    project.page(CHAPTER, "bread")
    (project.root / "l2-live.json").write_text('{"results": []}')
    assert invoke(*arguments).exit_code == 2
    assert project.site.asked == []


WORKFLOW = Path(__file__).parents[2] / ".github" / "workflows" / "eval-l2-live.yml"


def test_the_weekly_job_opens_issues_also_when_the_check_found_problems() -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text())
    assert workflow[True]["schedule"] == [{"cron": "0 6 * * MON"}]  # YAML reads `on` as true
    assert workflow["permissions"] == {"contents": "read", "issues": "write"}
    steps = workflow["jobs"]["eval-l2-live"]["steps"]
    look = next(n for n, step in enumerate(steps) if "--live" in step.get("run", ""))
    (issues,) = [n for n, step in enumerate(steps) if "drift_issues" in step.get("run", "")]
    assert look < issues
    assert "!cancelled()" in steps[issues]["if"]
    assert "success()" not in steps[issues]["if"]
    assert steps[issues]["env"]["GITHUB_TOKEN"] == "${{ github.token }}"
    assert "json:l2-live.json" in steps[look]["run"]
    assert "l2-live.json" in steps[issues]["run"]

"""One issue a problem page: opened once, updated, closed; through gh and through REST alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.domain.checks import PassageChange
from jw_eval_store.domain.drift import DriftPage, IssueAction
from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.integrations.github_api import Api, GhApi, GithubError, RestApi, open_api
from jw_eval_store.integrations.github_issues import issues_for, sync_issues
from jw_eval_store.reports.issues import actions_report, body_of, marked_page, page_mark
from tests.drift import fake_gh
from tests.drift.github import REPO, TOKEN, Github, github

KEY = "https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3"
CHANGE = PassageChange(
    anchor="v43:3:16",
    old="The baker carried seven loaves.",
    new="The baker never carried seven loaves.",
    difference="negation: “never” only in the passage",
)


def page(key: str = KEY, status: str = "claim_changed", **fields: Any) -> DriftPage:
    well = status in ("unchanged", "cosmetic", "text_changed")
    undecided = status in ("blocked", "unreachable")
    told = {
        "fetch_key": key,
        "status": status,
        "problem": not well and not undecided,
        "undecided": undecided,
        "checked_at": "2026-05-30T06:00:00.000Z",
        "reasons": ["v43:3:16: negation"],
        "cases": ["l2_bread_en"],
        "passages": [CHANGE],
        "http_status": 200,
        "final_url": key,
    }
    return DriftPage.model_validate(told | fields)


@pytest.fixture
def standin() -> Iterator[Github]:
    with github() as served:
        yield served
        assert served.wrong == []


@pytest.fixture(params=["rest", "gh"])
def api(
    request: pytest.FixtureRequest,
    standin: Github,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Api:
    if request.param == "rest":
        return RestApi(REPO, TOKEN, standin.url)
    monkeypatch.setenv("FAKE_GH_URL", standin.url)
    monkeypatch.setenv("GH_TOKEN", TOKEN)
    return GhApi(REPO, str(gh_in(tmp_path)))


def gh_in(folder: Path) -> Path:
    program = folder / "gh"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -S {fake_gh.__file__} "$@"\n')
    program.chmod(0o755)
    return program


def kinds(actions: list[IssueAction]) -> list[str]:
    return [action.kind for action in actions]


def test_a_problem_becomes_an_issue_once_and_is_closed_when_it_is_over(
    api: Api, standin: Github
) -> None:
    (opened,) = sync_issues([page()], api)
    assert (opened.kind, opened.number) == ("open", 1)
    assert opened.url == f"https://github.com/{REPO}/issues/1"
    (issue,) = standin.issues
    assert issue["labels"] == ["link-drift"]
    assert issue["title"] == "claim changed: wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3"

    assert kinds(sync_issues([page()], api)) == ["keep"]
    assert kinds(sync_issues([page(status="quote_missing")], api)) == ["update"]
    assert kinds(sync_issues([page(status="blocked")], api)) == []
    assert len(standin.issues) == 1
    assert standin.issues[0]["title"].startswith("quote missing: ")
    assert standin.open_issues() != []

    assert kinds(sync_issues([page(status="cosmetic")], api)) == ["close"]
    assert standin.open_issues() == []
    assert standin.issues[0]["state_reason"] == "completed"
    assert "well again" in standin.comments[0][1]
    assert kinds(sync_issues([page(status="unchanged")], api)) == []
    assert kinds(sync_issues([page()], api)) == ["open"]
    assert len(standin.issues) == 2


@pytest.mark.sampled(1)
def test_each_page_has_an_issue_of_its_own(api: Api, standin: Github) -> None:
    pages = [page(f"{KEY}/{number}") for number in range(3)]
    assert kinds(sync_issues(pages, api)) == ["open"] * 3
    states = [pages[0], page(f"{KEY}/1", "unchanged"), page(f"{KEY}/2", "gone")]
    assert kinds(sync_issues(states, api)) == ["keep", "close", "update"]


def test_the_issue_is_found_on_any_page_of_the_list_whatever_people_did_to_it(
    api: Api, standin: Github
) -> None:
    for number in range(150):
        standin.add(f"Something else {number}")
    standin.add(body_of(page()), pull_request={"url": "..."})
    edited = "Looking at it.\r\n\r\n" + body_of(page()).replace("\n", "\r\n")
    mine = standin.add(edited, title="The bread page", labels=[])
    standin.add(body_of(page()))
    standin.add(None)
    assert kinds(sync_issues([page()], api)) == ["update"]
    assert (mine["title"], mine["body"]) == ("The bread page", body_of(page()))
    assert len(standin.open_issues()) == 154


def test_a_marker_in_the_text_of_a_page_names_nothing(api: Api, standin: Github) -> None:
    other = page(f"{KEY}/other")
    marker = f"<!-- jw-eval-link-drift {page_mark(other.fetch_key)} -->"
    evil = CHANGE.model_copy(update={"new": f"x\n{marker}\n````\n@everyone"})
    sync_issues([page(passages=[evil])], api)
    assert marked_page(standin.issues[0]["body"]) == page_mark(KEY)
    assert kinds(sync_issues([other], api)) == ["open"]
    body = standin.issues[0]["body"]
    assert "`````text" in body
    assert body.count(marker) == 0


def test_the_issue_tells_what_changed_who_is_concerned_and_what_to_do() -> None:
    body = body_of(page(final_url="https://wol.jw.org/new"))
    assert CHANGE.old is not None
    assert CHANGE.new is not None
    for part in (KEY, "`l2_bread_en`", CHANGE.old, CHANGE.new, "{+never+}", "wol.jw.org/new",
                 f"jw-eval snapshots refresh {KEY}", "jw-eval snapshots accept"):  # fmt: skip
        assert part in body
    assert "2026-05-30" not in body  # else every look would be an update


def test_a_long_issue_stays_within_what_github_takes(api: Api, standin: Github) -> None:
    huge = [PassageChange(anchor=f"p{n}", old="word " * 9000, new="`" * 9000) for n in range(40)]
    cases = [f"case_{number}" for number in range(5000)]
    long = page(f"{KEY}?{'a' * 1900}", passages=huge, cases=cases, reasons=["r" * 9000] * 50)
    sync_issues([long], api)
    (issue,) = standin.issues
    assert len(issue["body"]) < 65_536
    assert "jw-eval snapshots accept" in issue["body"]
    assert "4950 more" in issue["body"]


@pytest.mark.parametrize(
    ("status", "hint"), [(403, "issues: write"), (404, "--repo"), (410, "switched off")]
)
def test_a_refusal_is_told_with_its_remedy(
    api: Api, standin: Github, status: int, hint: str
) -> None:
    standin.failing = [(status, {})]
    with pytest.raises(GithubError, match=str(status)) as error:
        sync_issues([page()], api)
    assert hint in (error.value.hint or "")
    assert error.value.exit_code == 3


def test_a_wrong_token_is_told(standin: Github) -> None:
    with pytest.raises(GithubError, match="401") as error:
        sync_issues([page()], RestApi(REPO, "wrong", standin.url))
    assert error.value.hint == "the token is not valid"


def test_github_that_is_down_is_an_error_of_infrastructure() -> None:
    with pytest.raises(InfrastructureError, match="can't be reached"):
        sync_issues([page()], RestApi(REPO, TOKEN, "http://127.0.0.1:1"))
    with pytest.raises(InfrastructureError, match="gh can't be run"):
        sync_issues([page()], GhApi(REPO, "/nowhere/gh"))


def test_a_busy_github_is_asked_again(standin: Github, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    standin.failing = [(502, {}), (429, {})]
    assert kinds(sync_issues([page()], RestApi(REPO, TOKEN, standin.url))) == ["open"]
    standin.failing = [(503, {})] * 5
    with pytest.raises(GithubError, match="503"):
        sync_issues([page()], RestApi(REPO, TOKEN, standin.url))


def test_a_write_is_not_sent_again_after_a_bad_gateway(standin: Github) -> None:
    standin.failing = [(502, {})]
    with pytest.raises(GithubError, match="502"):
        RestApi(REPO, TOKEN, standin.url).request("POST", "/issues", {"title": "t"})
    assert len(standin.requests) == 1


def test_gh_is_preferred_and_the_token_is_the_other_way(tmp_path: Path) -> None:
    gh_in(tmp_path)
    assert isinstance(open_api(REPO, {"PATH": str(tmp_path), "GITHUB_TOKEN": "t"}), GhApi)
    bare = {"PATH": "/nowhere", "GITHUB_REPOSITORY": REPO}
    assert isinstance(open_api(None, {**bare, "GITHUB_TOKEN": "t"}), RestApi)
    with pytest.raises(UsageError, match="nor a token"):
        open_api(None, bare)
    for name in (None, "", "repo", "a/b/c", "a b/c"):
        with pytest.raises(UsageError, match="repository"):
            open_api(name, {"PATH": "/nowhere", "GITHUB_TOKEN": "t"})


def test_a_dry_run_asks_nobody_and_tells_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    actions = issues_for([page(), page(f"{KEY}/well", "unchanged")], None, dry_run=True)
    text = actions_report(actions, "text", dry_run=True)
    assert "would open claim changed: " in text
    assert "{+never+}" in text
    assert "1 issue" in text
    (told,) = json.loads(actions_report(actions, "json", dry_run=True))
    assert told["kind"] == "open"


def script(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    path = Path(__file__).parents[2] / "scripts" / "eval_open_drift_issues.py"
    return subprocess.run(
        [sys.executable, str(path), *arguments],
        cwd=folder,
        env={**os.environ, "PATH": "/nowhere", **env},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


def test_the_script_reads_a_report_and_opens_issues(tmp_path: Path, standin: Github) -> None:
    told = page().model_dump(mode="json", exclude={"cases"})
    report = {"results": [{"case_id": case, "details": {"pages": [told]}} for case in ("a", "b")]}
    (tmp_path / "l2-live.json").write_text(json.dumps(report))
    env = {"GITHUB_TOKEN": TOKEN, "GITHUB_API_URL": standin.url, "GITHUB_REPOSITORY": REPO}
    done = script(tmp_path, "l2-live.json", **env)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"https://github.com/{REPO}/issues/1" in done.stdout
    assert "- `a`\n- `b`" in standin.issues[0]["body"]
    dry = script(tmp_path, "l2-live.json", "--dry-run")
    assert (dry.returncode, dry.stderr) == (0, "")
    assert len(standin.issues) == 1


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("content", "message"), [("{", "is not JSON"), ("{}", "no JSON report of a live run")]
)
def test_the_script_names_a_file_that_is_no_report(
    tmp_path: Path, content: str, message: str
) -> None:
    (tmp_path / "l2-live.json").write_text(content)
    done = script(tmp_path, "l2-live.json")
    assert done.returncode == 2
    assert message in done.stderr
    assert "l2-live.json" in done.stderr

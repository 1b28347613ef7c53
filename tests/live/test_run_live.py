"""`run --live`: verdicts by the pages, politeness, and what the report tells."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.domain.drift import drift_in_report
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.domain.shards import Shard
from jw_eval_store.reports.json import JsonReporter
from jw_eval_store.runs.drifting import drift_pages, newest_checks
from jw_eval_store.runs.live import run_live
from jw_eval_store.runs.request import RunRequest
from tests.fetching.site import Reply
from tests.live.conftest import LiveProject
from tests.live.pages import FIRST, changed, numbered, of_type, without

CHAPTER, ARTICLE = of_type("chapter"), of_type("article")
INVERTED = changed(CHAPTER.passages(), FIRST,
                   CHAPTER.passages()[FIRST][1].replace("carried", "never carried"))  # fmt: skip


@pytest.fixture
def three(project: LiveProject) -> LiveProject:
    """A page that stays well, one that gets a problem, and one that can't be looked at."""
    for number, name in enumerate(("well", "wrong", "walled")):
        project.page(numbered(CHAPTER, number), name)
    project.build()
    project.site.asked.clear()
    project.site.play(numbered(CHAPTER, 0).path, CHAPTER.html(seed=5))
    project.site.play(numbered(CHAPTER, 1).path, CHAPTER.html(INVERTED))
    project.site.play(numbered(CHAPTER, 2).path, Reply(status=403))
    return project


def test_problems_fail_and_what_is_undecided_is_an_error(three: LiveProject) -> None:
    report = three.live()
    told = {r.case_id: (r.verdict, r.reason_code) for r in report.results}
    assert told == {
        "well": ("pass", None),
        "wrong": ("fail", None),
        "walled": ("error", "evidence_blocked"),
    }
    assert report.layers_run == ("l2",)
    assert report.summary["l2"]["pages"] == {"blocked": 1, "claim_changed": 1, "cosmetic": 1}
    assert three.rows("SELECT count(*) FROM run") == [(0,)]


def test_only_gate_live_makes_problems_count(three: LiveProject) -> None:
    free = three.live()
    assert (free.gate.verdict, free.gate.exit_code) == ("passed", 0)
    assert "reported only" in free.gate.layers[0].message
    assert three.live(gate_live=True).gate.exit_code == 1
    assert three.live("well", gate_live=True).gate.exit_code == 0
    assert three.live("walled", gate_live=True).gate.exit_code == 3


def test_a_bar_that_is_asked_for_counts_live_as_in_any_run(three: LiveProject) -> None:
    assert three.live(min_pass={"l2": 0.6}).gate.verdict == "undecided"
    assert three.live(min_pass={"l2": 1.0}).gate.exit_code == 1
    assert three.live("well", min_pass={"l2": 1.0}).gate.exit_code == 0
    assert three.live(min_decided={"l2": 0.9}).gate.exit_code == 3
    assert three.live(min_decided={"l2": 0.6}).gate.exit_code == 0


def test_the_json_report_carries_statuses_and_passages(three: LiveProject) -> None:
    found = json.loads(JsonReporter().report(three.live()))
    (page,) = next(r for r in found["results"] if r["case_id"] == "wrong")["details"]["pages"]
    assert page["status"] == page["page_status"] == "claim_changed"
    assert page["problem"] is True
    (change,) = page["passages"]
    assert change["anchor"] == "v43:3:5"
    assert "never" in change["new"]
    assert "never" not in change["old"]
    assert "negation" in change["difference"]


def test_the_report_and_the_database_tell_the_same_drift(three: LiveProject) -> None:
    report = json.loads(JsonReporter().report(three.live()))
    from_report = {page.fetch_key: page for page in drift_in_report(report)}
    from_store = {page.fetch_key: page for page in drift_pages(three.config)}
    assert from_report.keys() == from_store.keys()
    for key, page in from_store.items():
        other = from_report[key]
        assert (page.status, page.problem, page.undecided) == (
            other.status, other.problem, other.undecided,
        )  # fmt: skip
        assert page.cases == other.cases
    (wrong,) = [page for page in from_store.values() if page.problem]
    assert wrong.passages == from_report[wrong.fetch_key].passages


@pytest.mark.parametrize("report", [None, [], {}, {"results": [{}]}, {"results": 3}, "text"])
def test_what_is_no_report_of_a_live_run_is_refused(report: object) -> None:
    with pytest.raises(UsageError, match="no JSON report of a live run"):
        drift_in_report(report)


def test_a_page_is_asked_for_once_and_only_if_it_changed(project: LiveProject) -> None:
    page = Reply(CHAPTER.html(), headers={"ETag": '"1"'})
    project.page(CHAPTER, "a", page)
    project.case("b", CHAPTER.url, "burn without oil")
    project.build()
    project.site.asked.clear()
    report = project.live()
    assert {r.verdict for r in report.results} == {"pass"}
    (asked,) = [asked for asked in project.site.asked if asked.path == CHAPTER.path]
    assert asked.headers["if-none-match"] == '"1"'
    (check,) = newest_checks(project.config)
    assert (check.status, check.http_status) == ("unchanged", 304)
    project.case("c", CHAPTER.url, "twelve friends")
    project.live()
    assert "if-none-match" not in project.site.asked[-1].headers


def test_a_case_added_after_the_snapshot_is_judged_by_the_page(project: LiveProject) -> None:
    project.page(CHAPTER, "a", Reply(CHAPTER.html(), headers={"ETag": '"1"'}))
    project.build()
    project.case("b", CHAPTER.url, "words that stand nowhere")
    verdicts = {result.case_id: result.verdict for result in project.live().results}
    assert verdicts == {"a": "pass", "b": "fail"}


def test_one_cases_problem_is_not_anothers(project: LiveProject) -> None:
    project.page(CHAPTER, "a")
    project.case("b", CHAPTER.url, "burn without oil")
    project.build()
    project.site.play(CHAPTER.path, CHAPTER.html(without(CHAPTER.passages(), FIRST)))
    found = {r.case_id: r for r in project.live().results}
    assert (found["a"].verdict, found["b"].verdict) == ("fail", "pass")
    (check,) = newest_checks(project.config)
    assert (check.status, check.problem) == ("quote_missing", True)


def test_without_a_snapshot_only_problems_are_certain(project: LiveProject) -> None:
    project.page(CHAPTER, "held")
    project.page(numbered(CHAPTER, 1), "lost", CHAPTER.html(without(CHAPTER.passages(), FIRST)))
    found = {r.case_id: (r.verdict, r.reason_code) for r in project.live().results}
    assert found == {"held": ("error", "evidence_missing"), "lost": ("fail", None)}


def test_authored_evidence_is_never_looked_up(project: LiveProject) -> None:
    report = run_live(RunRequest(bundled=True), project.config, gate_live=True, web=project.web)
    assert {result.verdict for result in report.results} == {"error"}
    assert report.gate.exit_code == 3
    assert project.site.asked == []


def test_the_days_budget_holds_over_checks(project: LiveProject) -> None:
    for number in range(4):
        project.page(numbered(CHAPTER, number), f"case{number}")
    project.configure("fetch_daily = 7\n".replace("fetch_daily", "fetch_parallel"))
    project.build()
    text = (project.root / "jw-eval.toml").read_text().replace("100000", "8")
    (project.root / "jw-eval.toml").write_text(text)
    project.site.asked.clear()
    statuses = sorted(check.status for check in project.check().values())
    assert statuses == ["blocked", "blocked", "unchanged", "unchanged"]
    assert len(project.site.asked) == 3
    assert project.rows("SELECT host, requests FROM fetch_budget") == [("wol.jw.org", 8)]


def test_the_pace_is_the_configured_one(project: LiveProject) -> None:
    project.configure("fetch_pace = 0.2\nfetch_parallel = 1\n")
    for number in range(3):
        project.page(numbered(CHAPTER, number), f"case{number}")
    from jw_eval_store.runs.fetching import Web
    from jw_eval_store.runs.live_check import check_snapshots

    check_snapshots(project.config, web=Web(project.site.network()))
    at = sorted(asked.at for asked in project.site.asked)
    assert len(at) == 4
    assert at[3] - at[1] >= 0.3  # of 0.4; the first has to connect


def test_history_is_kept(three: LiveProject) -> None:
    three.live()
    three.site.play(numbered(CHAPTER, 1).path, CHAPTER.html())
    three.live()
    sql = "SELECT status, before, latest FROM v_drift WHERE fetch_key LIKE '%/n1/%' ORDER BY latest"
    assert three.rows(sql) == [
        ("claim_changed", None, 0),
        ("unchanged", "claim_changed", 1),
    ]


def test_a_page_that_nobody_cites_any_more_is_nobodys_problem(three: LiveProject) -> None:
    three.live()
    (three.root / "cases" / "l2" / "wrong.yaml").unlink()
    three.live()
    assert [page.problem for page in drift_pages(three.config)] == [False, False, False]
    assert len(newest_checks(three.config)) == 2


def test_a_search_for_nothing_is_not_green(project: LiveProject) -> None:
    project.page(CHAPTER, "a")
    with pytest.raises(EmptySelectionError):
        project.live("nope")
    with pytest.raises(EmptySelectionError):
        project.check(selection=Selection(layers=("l2", "l3"), agents=("nobody",)))
    with pytest.raises(EmptySelectionError, match="no page was looked at yet"):
        newest_checks(project.config)


@pytest.mark.parametrize(
    "asked",
    [
        {"since": "last"},
        {"baseline": "main"},
        {"resume": "R"},
        {"explain": True},
        {"fail_fast": True},
        {"shard": Shard(1, 2)},
        {"repeat": 2},
        {"fresh": True},
        {"recordings": Path("recordings.zip")},
        {"layers_asked": True, "selection": Selection(layers=("l1", "l2"))},
        {"layers_asked": True, "selection": Selection(layers=("l3",))},
    ],
)
def test_what_has_no_meaning_live_is_refused(project: LiveProject, asked: dict[str, str]) -> None:
    project.page(CHAPTER, "a")
    request = replace(RunRequest(), **asked)  # type: ignore[arg-type]  # the fields are named above
    with pytest.raises(UsageError, match="--"):
        run_live(request, project.config, web=project.web)
    assert project.site.asked == []


def test_a_bar_for_a_layer_that_is_not_looked_at_is_refused(project: LiveProject) -> None:
    project.page(CHAPTER, "a")
    with pytest.raises(UsageError, match="for layer L1, and --live looks at layer 2"):
        project.live(min_pass={"l1": 1.0})


def test_an_invalid_case_file_is_said_and_holds_up_no_other(project: LiveProject) -> None:
    project.page(CHAPTER, "a")
    project.build()
    (project.root / "cases" / "l2" / "bad.yaml").write_text("id: [")
    report = project.live()
    assert [result.verdict for result in report.results] == ["pass"]
    assert (report.gate.exit_code, len(report.invalid_files)) == (2, 1)


def test_the_settings_are_read_and_checked(project: LiveProject) -> None:
    project.configure('fetch_pace = 2.5\nstructure_changes = "any"\n')
    settings = project.config.settings
    assert (settings.fetch_pace, settings.structure_changes) == (2.5, "any")
    project.configure("fetch_pace = -1\n")
    with pytest.raises(UsageError, match="fetch_pace"):
        load_config(project.root, environ={})


def test_any_change_of_structure_is_a_problem_where_it_is_configured(
    project: LiveProject,
) -> None:
    project.configure('structure_changes = "any"\n')
    project.page(CHAPTER, "a")
    project.build()
    project.site.play(CHAPTER.path, CHAPTER.html(verse_class="verse"))
    assert project.live().results[0].verdict == "fail"


def test_what_was_seen_before_an_interrupt_is_kept(project: LiveProject) -> None:
    for number in range(4):
        project.page(numbered(CHAPTER, number), f"case{number}")
    project.build()

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        project.check(progress=stop)
    assert project.rows("SELECT count(*) FROM page_check") == [(2,)]
    assert len(project.check()) == 4

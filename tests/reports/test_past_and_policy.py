from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.domain.coverage import CoverageReport, CoverageRow
from jw_eval_store.domain.histories import (
    RunInfo,
    TrendPoint,
)
from jw_eval_store.domain.reports import InvalidFile, SuiteReport
from jw_eval_store.reports.baselines import approvals_report
from jw_eval_store.reports.coverage import coverage_report
from jw_eval_store.reports.database import info_text, problems_text, size
from jw_eval_store.reports.difference import difference_report
from jw_eval_store.reports.faults import faults_text
from jw_eval_store.reports.history import runs_report, trend_report
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.plot import svg
from jw_eval_store.reports.unstable import unstable_report
from jw_eval_store.store.check import Problem
from jw_eval_store.store.info import StoreInfo, TableInfo


def row(what: str, present: int, **fields: Any) -> CoverageRow:
    values: dict[str, Any] = {"agent": "apologetics", "kind": "layer", "what": what}
    values |= {"required": 3, "passing": 1}
    return CoverageRow(**(values | {"present": present} | fields))


GAPS = CoverageReport(
    rows=(row("l1", 3), row("l2", 1, command="jw-eval cases add --agent apologetics --layer 2")),
    notes=("l1_twin does not count: it asks what l1_first does",),
)


def test_coverage_names_what_is_missing_and_the_command_that_adds_it() -> None:
    text = coverage_report(GAPS, "text")
    assert "apologetics  layer  L2         3      1        1        2  missing" in text
    assert "\n  jw-eval cases add --agent apologetics --layer 2\n" in text
    assert "note: l1_twin does not count" in text
    assert text.endswith("MISSING: 2 items, for 1 of 2 rules\n")
    data = json.loads(coverage_report(GAPS, "json"))
    assert (data["ok"], len(data["rows"])) == (False, 2)
    assert coverage_report(GAPS, "md").startswith("## ❌ MISSING: 2 items")
    assert coverage_report(GAPS, "csv").splitlines()[2] == "apologetics,layer,L2,3,1,1,2,missing"


def test_coverage_that_is_met_says_so() -> None:
    met = CoverageReport(rows=(row("l1", 5, passing=4),))
    assert coverage_report(met, "text").endswith("COVERED: 1 of 1 rule met\n")
    assert coverage_report(met, "md").startswith("## ✅ COVERED: 1 of 1")


def test_cases_that_are_there_and_do_not_pass_are_not_shown_as_success() -> None:
    weak = CoverageReport(rows=(row("l1", 5, passing=0), row("l2", 3, passing=3)))
    text = coverage_report(weak, "text")
    assert "5        0        0  present, 0 passing" in text
    assert "COVERED, NOT PASSING: 2 of 2 rules met, 1 by cases of which fewer pass" in text
    assert coverage_report(weak, "md").startswith("## ⚠️ COVERED, NOT PASSING")
    assert json.loads(coverage_report(weak, "json"))["rows"][0]["status"] == "present, 0 passing"
    assert weak.exit_code == 0


@pytest.mark.parametrize("form", ["text", "json", "md", "csv"])
def test_a_difference_says_what_got_worse_and_why(failed_run: SuiteReport, form: str) -> None:
    assert failed_run.diff_vs_baseline is not None
    text = difference_report(failed_run.diff_vs_baseline, form)
    for part in ("regression", "l1_broken", "pass", "fail", "agent changed"):
        assert part in text


def test_a_difference_at_80_columns_says_what_differs_below_the_table(
    failed_run: SuiteReport,
) -> None:
    comparison = failed_run.diff_vs_baseline
    assert comparison is not None
    detail = "agent: files.answers.py: sha256:f5d36cdbbe75 -> sha256:db672531e207, and more of it"
    worse = replace(comparison.differences[0], details=(detail,))
    text = difference_report(
        replace(comparison, differences=(worse,), conclusion="word " * 30),
        "text",
        Page(80),
    )
    assert max(map(len, text.splitlines())) <= 80
    assert "regression  l1_broken  L1     pass    fail   agent changed\n\nwhat differs\n" in text
    assert "\n  l1_broken\n    agent: files.answers.py: sha256:f5d3" in text
    assert "db672531e207, and\n    more of it\n" in text


def run_info(**fields: Any) -> RunInfo:
    values: dict[str, Any] = {
        "run": "01JW",
        "started_at": "2026-05-30T12:00:59.123Z",
        "finished_at": None,
        "status": "finished",
        "gate": "passed",
        "exit_code": 0,
        "passed": 28,
        "failed": 0,
        "errors": 0,
        "skipped": 0,
        "reused": 4,
        "layers": ("l1", "l2"),
        "git_revision": "0123456789abcdef",
        "git_dirty": True,
        "bundled": False,
    }
    return RunInfo(**(values | fields))


def test_runs_are_listed_with_verdict_and_revision() -> None:
    text = runs_report(
        [run_info(), run_info(gate=None, status="interrupted", bundled=True)], "table"
    )
    first, second = text.splitlines()[1:]
    shown = first.split()
    assert shown[:6] == ["01JW", "2026-05-30", "12:00", "passed", "L1", "L2"]
    assert shown[6:] == ["28", "0", "0", "4", "0123456+"]
    assert "interrupted (bundled)" in second
    assert "  reported  " in runs_report([run_info(binding=False)], "table")
    assert "  failed  " in runs_report([run_info(binding=False, gate="failed")], "table")


RUN = "01JWTESTRUN000000000000000"


def test_runs_at_80_columns_keep_ids_numbers_and_verdicts_whole() -> None:
    found = [run_info(run=RUN, bundled=True), run_info(run=RUN, gate="undecided", passed=123_456)]
    text = runs_report(found, "table", Page(80))
    assert max(map(len, text.splitlines())) <= 80
    words = text.split()
    assert words[:6] == ["run", "started", "verdict", "passed", "failed", "undecided"]
    assert words.count(RUN) == 2
    assert {"(bundled)", "undecided", "123456"} <= set(words)
    assert "0123456+" in runs_report(found, "table", Page(140))
    assert "012345678+" in runs_report(found, "csv")


def point(passed: int, *marks: str, layers: tuple[str, ...] = ("l1",)) -> TrendPoint:
    return TrendPoint(
        at="2026-05-30T12:00:00Z",
        run="01JW",
        git_revision=None,
        passed=passed,
        failed=20 - passed,
        errors=0,
        skipped=0,
        mean_score=0.8123456,
        marks=marks,
        layers=layers,
    )


def test_a_trend_marks_where_the_ruler_changed() -> None:
    points = [point(20), point(19, "judge changed"), point(20)]
    text = trend_report(points, "table")
    assert "95.0%" in text
    assert "judge changed" in text
    assert text.endswith("\n█▇█  95.0% to 100.0%, now 100.0%\n")
    assert [p["pass_rate"] for p in json.loads(trend_report(points, "json"))] == [1.0, 0.95, 1.0]
    assert "█" not in trend_report(points, "csv")


def test_runs_of_other_layers_are_other_lines_of_a_trend() -> None:
    meaning = [point(passed, layers=("l3",)) for passed in (10, 12)]
    points = [point(20), meaning[0], point(20), point(19, layers=("l1", "l2")), meaning[1]]
    assert trend_report(points, "table").splitlines()[-3:] == [
        "L1     ██  100.0% to 100.0%, now 100.0%",
        "L1 L2  ▇  95.0% to 95.0%, now 95.0%",
        "L3     ▁▂  50.0% to 60.0%, now 60.0%",
    ]
    assert svg(points, "t").count("<polyline") == 3
    page = trend_report(points, "md")
    assert page.count("```mermaid") == 2
    assert "L3:\n\n```mermaid" in page


def test_a_list_of_nothing_says_so() -> None:
    assert unstable_report([], "table").startswith("no unstable case: ")
    assert approvals_report([], "table").startswith("no baseline in force; ")
    for report in (unstable_report, approvals_report):
        assert report([], "json") == "[]\n"
        assert "passed" in report([], "csv")


def test_the_state_of_the_database_is_put_in_words() -> None:
    path = Path("results.db")
    assert problems_text(path, []) == "results.db: sound\n"
    left = Problem("roll-up", "run 1: no roll-up", "jw-eval db check --repair", serious=False)
    damage = Problem("damage", "page 7 is torn", "restore a backup")
    text = problems_text(path, [left, damage])
    assert text.startswith("DAMAGED page 7 is torn\n        next: restore a backup\nnote    run 1")
    assert text.endswith("results.db: 1 serious problem\n")
    assert problems_text(path, [left]).endswith("results.db: sound\n")
    tables = (TableInfo("small", 1, 100), TableInfo("large", 9, 5000), TableInfo("none", 0, 0))
    info = StoreInfo(path, "0001", "0001", 10_240, 0, "3.40.1", tables, 100)
    shown = info_text(info)
    assert "bytes per result  102" in shown
    assert shown.index("large") < shown.index("small")
    assert "none" not in shown
    assert [size(n) for n in (1023, 1024, 5 << 20, 3 << 30)] == [
        "1023 B",
        "1.0 KiB",
        "5.0 MiB",
        "3.0 GiB",
    ]


def test_refused_files_are_listed_with_place_and_next_step() -> None:
    fault = InvalidFile(path="l1/a.yaml", line=3, message="unknown key", hint="agent?")
    assert faults_text([fault], "sound") == "l1/a.yaml:3: unknown key\n  next: agent?\n1 fault\n"
    assert faults_text([], "12 sound cases") == "12 sound cases\n"

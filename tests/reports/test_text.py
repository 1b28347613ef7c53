from __future__ import annotations

from collections.abc import Callable

import pytest

from jw_eval_store.domain.reports import AgentCounts, CaseReport, SuiteReport
from jw_eval_store.reports.github import GithubReporter
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.junit import JunitReporter
from jw_eval_store.reports.markdown import MarkdownReporter
from jw_eval_store.reports.text import SHOWN_PROBLEMS, TextReporter


def test_failures_come_first_with_their_reasons_and_the_verdict_last(
    failed_run: SuiteReport,
) -> None:
    text = TextReporter().report(failed_run)
    order = [
        "INVALID seeds/l1/x.yaml:3",
        "next: language?",
        "FAIL    l1_broken  L1 apologetics es",
        "        must_have_source: no finding from topic_index",
        "        seeds/l1/broken.yaml:7",
        "ERROR   l2_lost",
        "evidence_missing",
        "layer  agent",
        "against main: 1 regression, 14 the same",
        "l1_broken: pass -> fail (agent changed)",
        "below    L1 12 of 13 passed",
        "FAILED: 12 of 15 cases passed, 1 failed, 1 undecided, 1 skipped, 1 invalid file in 2.5 s",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert text.splitlines()[-1] == "run 01JWTESTRUN0000000000000000"


def test_a_reason_that_a_layer_states_is_not_repeated(failed_run: SuiteReport) -> None:
    assert TextReporter().report(failed_run).count("L1 12 of 13 passed") == 1


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_page(failed_run: SuiteReport, width: int) -> None:
    text = TextReporter(Page(width)).report(failed_run)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "l1_broken" in text


def test_colour_only_where_it_is_welcome(failed_run: SuiteReport) -> None:
    plain = TextReporter(Page(100, color=False)).report(failed_run)
    coloured = TextReporter(Page(100, color=True)).report(failed_run)
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured


def test_an_agents_control_characters_reach_no_terminal(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    case = make_case("a", "fail", reasons=("\x1b]0;owned\x07 [red]markup[/red] \ud800 x\u2028y",))
    text = TextReporter().report(make_report([case], "failed"))
    assert "\x1b" not in text
    assert "[red]markup[/red]" in text
    assert text.encode("utf-8")


def test_a_flood_of_failures_is_cut_and_counted(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    cases = [make_case(f"case_{n}", "fail") for n in range(SHOWN_PROBLEMS + 7)]
    text = TextReporter().report(make_report(cases, "failed"))
    assert text.count("FAIL    ") == SHOWN_PROBLEMS
    assert "… and 7 more cases: jw-eval runs show 01JWTESTRUN0000000000000000" in text


def test_a_run_reported_without_its_passes_still_counts_them(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    summary = {"l1": {"pass": 99_999, "fail": 1, "total": 100_000, "reused": 99_990}}
    counted = AgentCounts(
        layer="l1", agent="apologetics", languages=("en", "es"), passed=99_999, failed=1,
        errors=0, skipped=0, reused=99_990,
    )  # fmt: skip
    report = make_report([make_case("one", "fail")], "failed", summary=summary)
    text = TextReporter().report(report.model_copy(update={"by_agent": (counted,)}))
    assert "L1     apologetics  en es      100000   99999       1          -   99990\n" in text
    text = TextReporter().report(report)
    assert "99,999 of 100,000 cases passed, 1 failed in 2.5 s, 99,990 reused" in text
    assert "languages" not in text


def test_where_nothing_blocks_no_format_says_passed(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    made = make_report([make_case(name, "error", layer="l3") for name in "ab"])
    report = made.model_copy(update={"gate": made.gate.model_copy(update={"binding": False})})
    said = "REPORTED: 0 of 2 cases passed, 2 undecided in 2.5 s (L3 does not block)"
    assert said in TextReporter().report(report)
    assert f"\x1b[1;33m{said}" in TextReporter(Page(100, color=True)).report(report)
    assert MarkdownReporter().report(report).startswith("## 📋 REPORTED: 0 of 2 cases passed")
    assert f"::notice title=jw-eval::{said}" in GithubReporter().report(report)
    assert "PASSED" not in JunitReporter().report(report)

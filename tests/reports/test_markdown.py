from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from jw_eval_store.domain.reports import CaseReport, SuiteReport
from jw_eval_store.reports.escape import code, markdown
from jw_eval_store.reports.markdown import COMMENT_LIMIT, MarkdownReporter


def test_the_verdict_stands_first_then_failures_then_changes_then_the_folded_list(
    failed_run: SuiteReport,
) -> None:
    text = MarkdownReporter().report(failed_run)
    assert text.startswith("## ❌ FAILED: 12 of 15 cases passed")
    order = [
        "| L1 | 12 of 13 | 1 | 0 | 100% | ❌ |",
        "### Files that were refused",
        "### What failed and why",
        "- ❌ **`l1_broken`** (L1, apologetics, es, `seeds/l1/broken.yaml:7`)",
        "must\\_have\\_source",
        "### Against `main`",
        "1 regression, 14 the same.",
        "- regression: `l1_broken` pass → fail (agent changed)",
        "<details><summary>All 15 cases</summary>",
        "| ✅ | `l1_pass_00` | L1 | apologetics | es | reused |",
        "</details>",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_a_passed_run_starts_green(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport]
) -> None:
    text = MarkdownReporter().report(make_report([make_case("a")]))
    assert text.startswith("## ✅ PASSED: 1 of 1 case passed in 2.5 s\n")
    assert "What failed" not in text


@pytest.mark.parametrize("count", [500, 5_000])
def test_a_comment_never_outgrows_githubs_limit(
    make_case: Callable[..., CaseReport], make_report: Callable[..., SuiteReport], count: int
) -> None:
    cases = [
        make_case(f"case_{n}", "fail", reasons=("<b>*" * 400,) * 9, path="a" * 300, line=n)
        for n in range(1, count)
    ]
    text = MarkdownReporter().report(make_report(cases, "failed", notices=("n" * 400,) * 300))
    assert len(text) <= COMMENT_LIMIT
    assert text.startswith("## ❌ FAILED")
    assert re.search(r"… and [\d,]+ more cases; the JSON report has all", text)
    assert text.count("<details>") == text.count("</details>") == 1


def plain(rendered: str) -> str:
    without_comments = re.sub(r"<!--.*?-->", "", rendered, flags=re.DOTALL)
    return html.unescape(re.sub(r"</?p>\n?", "", without_comments))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.text(alphabet=st.sampled_from("ab <>&`|*_[]()#!@:/~-+\\1\n. http")))
def test_escaped_words_render_as_they_were_written(words: str) -> None:
    rendered = (
        MarkdownIt("commonmark")
        .enable(["table", "strikethrough"])
        .render("x " + markdown(words) + " x")
    )
    assert plain(rendered).split() == ["x", *words.split(), "x"]


@given(st.text(alphabet=st.sampled_from("ab `|<>*\n"), min_size=1))
def test_a_code_span_in_a_table_cell_holds_any_text(words: str) -> None:
    table = f"| a | b |\n|---|---|\n| {code(words, cell=True)} | end |\n"
    rendered = MarkdownIt("commonmark").enable("table").render(table)
    cells = re.findall(r"<td>(.*?)</td>", rendered, re.DOTALL)
    assert len(cells) == 2
    assert cells[1] == "end"
    assert html.unescape(cells[0]) == f"<code>{' '.join(words.split()) or '  '}</code>"


def test_mentions_references_and_links_are_defused() -> None:
    text = markdown("@team see #12 and https://evil.example/x www.x.org")
    assert not re.search(r"@\w|#\d|https:|www\.", text)

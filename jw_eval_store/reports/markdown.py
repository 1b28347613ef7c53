"""The run as a pull-request comment: verdict, failures with reasons, changes, the list folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from jw_eval_store.domain.reports import CaseReport, SuiteReport
from jw_eval_store.reports.compared import comparison_lines
from jw_eval_store.reports.escape import code, markdown
from jw_eval_store.reports.interface import Reporter
from jw_eval_store.reports.plot import mermaid
from jw_eval_store.reports.waiting import Waiting, split_waiting
from jw_eval_store.reports.wording import (
    headline,
    is_complete,
    judged_by,
    origins,
    other_reasons,
    place,
    problems,
    reasons_of,
    worst_first,
)
from jw_eval_store.text.percent import bar
from jw_eval_store.text.plurals import plural

COMMENT_LIMIT = 65_536
"""GitHub's limit for a comment, in characters."""

SHOWN_PROBLEMS = 40
SHOWN_REASONS = 5
_ROOM_FOR_LIST = 20_000
_ICONS = {"pass": "✅", "fail": "❌", "error": "⚠️", "skip": "⏭️"}
_GATE_ICONS = {"passed": "✅", "undecided": "⚠️", "interrupted": "⚠️"}


class MarkdownReporter(Reporter):
    """GitHub-flavoured Markdown of at most `limit` characters."""

    def __init__(self, limit: int = COMMENT_LIMIT) -> None:
        self.limit = limit

    def report(self, report: SuiteReport) -> str:
        """What a reviewer needs first stands first; what does not fit is counted."""
        head = _within([*_head(report)], self.limit - _ROOM_FOR_LIST, "line")
        return head + _folded_list(report, self.limit - len(head))


def _within(lines: Iterable[str], limit: int, noun: str) -> str:
    """As many of the lines as fit, and how many did not."""
    kept: list[str] = []
    size, cut = 0, 0
    for line in lines:
        if cut or size + len(line) + 1 > limit - 100:
            cut += 1
        else:
            kept.append(line)
            size += len(line) + 1
    if cut:
        kept += ["", f"… and {plural(cut, f'more {noun}')}; the JSON report has all."]
    return "\n".join(kept) + "\n"


def _head(report: SuiteReport) -> Iterator[str]:
    icon = "📋" if report.gate.reported_only else _GATE_ICONS.get(report.gate.verdict, "❌")
    yield f"## {icon} {markdown(headline(report))}"
    yield ""
    yield from _gate_table(report)
    if found := origins(report):
        yield f"Evidence of the L2 passes: {markdown(found)}."
    if found := judged_by(report):
        yield f"L3: {markdown(found)}."
    yield from (f"> {markdown(reason)}  " for reason in other_reasons(report))
    yield from _invalid_files(report)
    failed, waiting = split_waiting(problems(report), report.run)
    yield from _shown(failed, SHOWN_PROBLEMS, "What failed and why", _problem)
    yield from _waiting(waiting)
    if report.diff_vs_baseline:
        yield from comparison_lines(report.diff_vs_baseline)
    yield from _accepted(report)
    if chart := mermaid(report.trend):
        yield from ("", "### Trend", "", *chart, "")
    yield from (f"- note: {markdown(notice)}" for notice in report.notices)


def _gate_table(report: SuiteReport) -> Iterator[str]:
    if not report.gate.layers:
        return
    yield "| layer | passed | failed | undecided | needs | |"
    yield "|---|---:|---:|---:|---:|---|"
    for layer in report.gate.layers:
        needs = bar(layer.min_pass) if layer.blocking else "reported only"
        mark = ("✅" if layer.ok else "❌") if layer.blocking else ""
        yield (
            f"| {layer.layer.upper()} | {layer.passed} of {layer.total} | {layer.failed} "
            f"| {layer.errors} | {needs} | {mark} |"
        )
    yield ""


def _invalid_files(report: SuiteReport) -> Iterator[str]:
    if report.invalid_files:
        yield from ("", "### Files that were refused", "")
    for file in report.invalid_files[:SHOWN_PROBLEMS]:
        hint = f" Next: {markdown(file.hint)}" if file.hint else ""
        yield f"- {code(place(file.path, file.line))}: {markdown(file.message)}{hint}"


def _shown(
    results: list[CaseReport],
    limit: int,
    title: str,
    line: Callable[[CaseReport], Iterator[str]],
) -> Iterator[str]:
    if results:
        yield from ("", f"### {title}", "")
    for result in results[:limit]:
        yield from line(result)
    if len(results) > limit:
        yield f"- … and {plural(len(results) - limit, 'more case')}, in the list below"


def _problem(result: CaseReport) -> Iterator[str]:
    where = f", {code(place(result.path, result.line))}" if result.path else ""
    about = f"{result.layer.upper()}, {markdown(result.agent)}, {markdown(result.language)}"
    yield f"- {_ICONS[result.verdict]} **{code(result.case_id)}** ({about}{where})"
    reasons = reasons_of(result)
    yield from (f"  - {markdown(reason)}" for reason in reasons[:SHOWN_REASONS])
    if len(reasons) > SHOWN_REASONS:
        yield f"  - … and {plural(len(reasons) - SHOWN_REASONS, 'more reason')}"


def _waiting(waiting: Waiting) -> Iterator[str]:
    if not waiting.cases:
        return
    yield from (
        "",
        f"### {markdown(waiting.title)}",
        "",
        f"Next: {markdown(waiting.next_step)}",
        "",
    )
    for case in waiting.cases[:SHOWN_PROBLEMS]:
        yield f"- {_ICONS['error']} {code(case.case_id)}: {markdown(waiting.remark(case))}"
    if len(waiting.cases) > SHOWN_PROBLEMS:
        yield f"- … and {plural(len(waiting.cases) - SHOWN_PROBLEMS, 'more case')}"


def _accepted(report: SuiteReport) -> Iterator[str]:
    if report.gate.accepted:
        yield from ("", "### Known failures that the policy accepts", "")
    for known in report.gate.accepted:
        yield f"- {code(known.case_id)} until {known.until}: {markdown(known.reason)}"


def _folded_list(report: SuiteReport, room: int) -> str:
    if not report.results:
        return ""
    what = "All" if is_complete(report) else "What did not pass:"
    start = f"\n<details><summary>{what} {plural(len(report.results), 'case')}</summary>\n\n"
    end = f"\n</details>\n\n<sub>run {code(report.run)}</sub>\n"
    table = ["| | case | layer | agent | language | |", "|---|---|---|---|---|---|"]
    rows = (*table, *(_row(result) for result in worst_first(report.results)))
    return start + _within(rows, room - len(start) - len(end), "case") + end


def _row(result: CaseReport) -> str:
    score = f"{result.score:.2f}" if result.score is not None else ""
    remark = ", ".join(part for part in (score, "reused" if result.reused else "") if part)
    return (
        f"| {_ICONS[result.verdict]} | {code(result.case_id, cell=True)} | {result.layer.upper()} "
        f"| {markdown(result.agent)} | {markdown(result.language)} | {remark} |"
    )

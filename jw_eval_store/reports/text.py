"""The run for people at a terminal: what failed and why, a table, the gate, the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jw_eval_store.domain.comparisons import Comparison
from jw_eval_store.domain.reports import (
    AgentCounts,
    CaseReport,
    GateOutcome,
    LayerOutcome,
    SuiteReport,
)
from jw_eval_store.reports.compared import ordered
from jw_eval_store.reports.interface import Page, Reporter
from jw_eval_store.reports.render import PlainTable, plain_table, rendered
from jw_eval_store.reports.waiting import Waiting, split_waiting
from jw_eval_store.reports.wording import (
    by_agent,
    comparison_line,
    headline,
    judged_by,
    one_line,
    origins,
    other_reasons,
    place,
    problems,
    reasons_of,
)
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN_PROBLEMS = 50
"""Cases shown with their reasons; `runs show` lists all."""

_STYLES = {"pass": "green", "fail": "bold red", "error": "bold yellow", "skip": "dim"}


class TextReporter(Reporter):
    """Text that fits the page's width; `explain` lists why each case was judged or reused."""

    def __init__(self, page: Page | None = None, *, explain: bool = False) -> None:
        self.page = page or Page()
        self.explain = explain

    def report(self, report: SuiteReport) -> str:
        """Failures first; the verdict last, where a terminal leaves the eye."""
        return rendered([*self._parts(report)], self.page)

    def _parts(self, report: SuiteReport) -> Iterator[RenderableType]:
        from rich.text import Text

        if self.explain:
            yield from (_why(report), Text())
        yield from _invalid_files(report)
        yield from _problems(report)
        if counted := by_agent(report):
            yield _by_agent(counted)
            yield Text()
        if report.diff_vs_baseline:
            yield from _comparison(report.diff_vs_baseline)
        for known in report.gate.accepted:
            about = f"accepted until {known.until}: {one_line(known.reason)}"
            yield Text(f"{known.case_id} fails, {about}", "yellow")
        yield from (_outcome(outcome) for outcome in report.gate.layers)
        if found := origins(report):
            yield Text(f"{'':<8}evidence of the passes: {found}", "dim")
        if found := judged_by(report):
            yield Text(f"{'':<8}{found}", "dim")
        yield from (Text(f"note: {one_line(notice)}", "dim") for notice in report.notices)
        yield from (Text(reason) for reason in other_reasons(report))
        yield Text(headline(report), _verdict_style(report.gate))
        yield Text(f"run {report.run}", "dim")


def _verdict_style(gate: GateOutcome) -> str:
    if gate.reported_only:
        return "bold yellow"
    return "bold green" if gate.exit_code == 0 else "bold red"


def _why(report: SuiteReport) -> PlainTable:
    table = plain_table(["!case", "", "why"])
    for result in report.results:
        what = "reused" if result.reused else "judged"
        table.add_row(result.case_id, what, one_line(result.why) or "asked for")
    return table


def _invalid_files(report: SuiteReport) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    for file in report.invalid_files:
        yield Text.assemble(("INVALID ", "bold red"), place(file.path, file.line))
        yield Padding(Text(one_line(file.message)), (0, 0, 0, 8))
        if file.hint:
            yield Padding(Text(f"next: {one_line(file.hint)}", "dim"), (0, 0, 0, 8))
    if report.invalid_files:
        yield Text()


def _problems(report: SuiteReport) -> Iterator[RenderableType]:
    from rich.text import Text

    found, waiting = split_waiting(problems(report), report.run)
    for result in found[:SHOWN_PROBLEMS]:
        yield from problem_lines(result)
    if len(found) > SHOWN_PROBLEMS:
        rest = plural(len(found) - SHOWN_PROBLEMS, "more case")
        yield Text(f"… and {rest}: jw-eval runs show {report.run}", "dim")
    yield from _waiting(waiting)
    if found or waiting.cases:
        yield Text()


def _waiting(waiting: Waiting) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    if not waiting.cases:
        return
    yield Text.assemble(("UNDECIDED ", _STYLES["error"]), waiting.title)
    yield Padding(Text(f"next: {waiting.next_step}"), (0, 0, 0, 8))
    for case in waiting.cases[:SHOWN_PROBLEMS]:
        line = Text.assemble(case.case_id, (f"  {waiting.remark(case)}", "dim"))
        yield Padding(line, (0, 0, 0, 8))
    if len(waiting.cases) > SHOWN_PROBLEMS:
        rest = plural(len(waiting.cases) - SHOWN_PROBLEMS, "more case")
        yield Padding(Text(f"… and {rest}", "dim"), (0, 0, 0, 8))
    yield Padding(Text("take one apart: jw-eval explain CASE", "dim"), (0, 0, 0, 8))


def problem_lines(result: CaseReport) -> Iterator[RenderableType]:
    """One case that failed or could not be decided, with its file and its reasons."""
    from rich.padding import Padding
    from rich.text import Text

    where = f"  {result.layer.upper()} {result.agent} {result.language}"
    yield Text.assemble(
        (f"{result.verdict.upper():<8}", _STYLES[result.verdict]), result.case_id, (where, "dim")
    )
    for reason in reasons_of(result):
        yield Padding(Text(reason), (0, 0, 0, 8))
    if result.path:
        yield Padding(Text(place(result.path, result.line), "dim"), (0, 0, 0, 8))


def _by_agent(counted: Sequence[AgentCounts]) -> PlainTable:
    table = plain_table(
        ["!layer", "agent", "languages", ">cases", ">passed", ">failed", ">undecided", ">reused"],
        optional=("languages", "reused"),
    )
    for row in counted:
        figures = (row.passed, row.failed, row.errors, row.reused)
        shown = (f"{figure or '-'}" for figure in figures)
        table.add_row(row.layer.upper(), row.agent, " ".join(row.languages), str(row.total), *shown)
    return table


def _comparison(comparison: Comparison) -> Iterator[RenderableType]:
    from rich.text import Text

    yield Text(f"against {comparison.baseline}: {comparison_line(comparison)}")
    for difference in ordered(comparison):
        if difference.before == "pass":
            what = f"{difference.before} -> {difference.after or 'absent'}"
            yield Text(f"  {difference.case_id}: {what} ({difference.cause})", "red")
            yield from (Text(f"    {one_line(line)}", "dim") for line in difference.details)
    yield from (Text(f"  {one_line(note)}") for note in comparison.notes)
    if comparison.conclusion:
        yield Text(f"  {one_line(comparison.conclusion)}")
    yield Text()


def _outcome(outcome: LayerOutcome) -> RenderableType:
    from rich.text import Text

    word, style = ("ok", "green") if outcome.ok else ("below", "bold red")
    if outcome.ok and not outcome.blocking:
        word, style = "reported", "dim"
    return Text.assemble((f"{word:<9}", style), one_line(outcome.message))

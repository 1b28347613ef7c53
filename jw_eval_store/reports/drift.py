"""Looks at live pages for people: a table of statuses, and what changed, old beside new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jw_eval_store.domain.captures import CapturedPage
from jw_eval_store.domain.checks import PageCheck, PassageChange
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import json_text
from jw_eval_store.reports.render import rendered
from jw_eval_store.reports.wording import clean, one_line
from jw_eval_store.reports.words import word_diff
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_SIDE_BY_SIDE = 80
"""Columns from which old and new stand beside each other."""


def checks_report(checks: Sequence[PageCheck], form: str) -> str:
    """What a check found, as `text` or `json`; problems first."""
    if form == "json":
        return json_text([check.model_dump(mode="json") for check in checks])
    lines = [line for check in _worst_first(checks) for line in _check_lines(check)]
    return "\n".join([*lines, _tally(checks)]) + "\n"


def drift_report(checks: Sequence[PageCheck], form: str, page: Page | None = None) -> str:
    """What changed on pages, as `text` (a word diff) or `json`; what did not change is left out."""
    if form == "json":
        return checks_report(checks, form)
    told = [check for check in checks if check.status not in ("unchanged", "cosmetic")]
    parts = [part for check in _worst_first(told) for part in _drift(check, page or Page())]
    if not parts:
        return f"no change on {plural(len(checks), 'page')}\n"
    return rendered(parts, page or Page())


def captures_report(pages: Sequence[CapturedPage], form: str = "text") -> str:
    """What building, refreshing or accepting came to, with the cases that are not borne out."""
    if form == "json":
        return json_text([page.model_dump(mode="json") for page in pages])
    lines: list[str] = []
    for page in pages:
        status = f" ({page.status})" if page.status and page.status != "page" else ""
        lines.append(f"{page.outcome:<8} {page.fetch_key}{status}")
        lines += [f"         {one_line(reason)}" for reason in page.reasons]
        for one in page.lacking:
            phrases = " or ".join(f"“{phrase}”" for phrase in one.phrases) or "the cited anchor"
            lines.append(f"         {one.case_id} does not find {one_line(phrases)} at {one.url}")
    return "\n".join([*lines, _captured(pages)]) + "\n"


def _captured(pages: Sequence[CapturedPage]) -> str:
    if not pages:
        return "nothing to do"
    words = {
        "stored": "stored",
        "waiting": "waiting: jw-eval snapshots accept",
        "refused": "refused",
    }
    counts = {name: sum(page.outcome == name for page in pages) for name in words}
    parts = [f"{count:,} {words[name]}" for name, count in counts.items() if count]
    lacking = sum(bool(page.lacking) for page in pages)
    return ", ".join([*parts, *([f"{lacking:,} lack phrases"] if lacking else [])])


def _worst_first(checks: Sequence[PageCheck]) -> list[PageCheck]:
    return sorted(checks, key=lambda c: (not c.problem, not c.undecided, c.status, c.fetch_key))


def _check_lines(check: PageCheck) -> Iterator[str]:
    yield f"{_word(check):<9} {check.status:<18} {check.fetch_key}"
    if check.problem or check.undecided:
        yield f"          cited by {', '.join(check.cases) or 'no case'}"
        yield from (f"          {one_line(reason)}" for reason in check.reasons)


def _word(check: PageCheck) -> str:
    if check.problem:
        return "PROBLEM"
    return "undecided" if check.undecided else "ok"


def _tally(checks: Sequence[PageCheck]) -> str:
    problems = sum(check.problem for check in checks)
    undecided = sum(check.undecided for check in checks)
    text = f"{plural(len(checks), 'page')}: {plural(problems, 'problem')}, {undecided:,} undecided"
    return text + (", see jw-eval snapshots drift" if problems else "")


def _drift(check: PageCheck, page: Page) -> Iterator[RenderableType]:
    from rich.text import Text

    style = "bold red" if check.problem else "bold"
    yield Text.assemble((check.status, style), f" {check.fetch_key}")
    yield Text(f"cited by {', '.join(check.cases) or 'no case'}; seen {check.checked_at}", "dim")
    yield from (Text(one_line(reason)) for reason in check.reasons)
    shown = {change: None for one in check.citations for change in one.passages}
    shown |= dict.fromkeys(c for c in check.passages if c.anchor not in {s.anchor for s in shown})
    for change in shown:
        yield from _change(change, page)
    yield Text()


def _change(change: PassageChange, page: Page) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    name = change.anchor or "(no anchor)"
    yield Text.assemble((name, "bold"), (f"  {change.difference}", "red"))
    old, new = _sides(change, color=page.color)
    if page.width < _SIDE_BY_SIDE:
        yield Padding(Text.assemble("was: ", old), (0, 0, 0, 2))
        yield Padding(Text.assemble("now: ", new), (0, 0, 0, 2))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False, expand=True, padding=(0, 2))
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    table.add_row(Text.assemble(("was  ", "dim"), old), Text.assemble(("now  ", "dim"), new))
    yield table


def _sides(change: PassageChange, *, color: bool) -> tuple[Text, Text]:
    """Old and new with what differs marked: by colour, and by brackets where there is none."""
    from rich.text import Text

    sides = {"old": Text(), "new": Text()}
    styles = {"old": "red strike", "new": "green"}
    marks = {"old": ("", "") if color else ("[-", "-]"), "new": ("", "") if color else ("{+", "+}")}
    for where, text in word_diff(clean(change.old or ""), clean(change.new or "")):
        if where == "both":
            for side in sides.values():
                side.append(f"{text} ")
        else:
            before, after = marks[where]
            sides[where].append(f"{before}{text}{after}", styles[where]).append(" ")
    absent = Text("(not there)", "dim")
    old = sides["old"] if change.old is not None else absent
    return old, sides["new"] if change.new is not None else absent

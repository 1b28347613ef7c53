"""Cases, their history and what became of them, for people."""

from __future__ import annotations

from collections.abc import Sequence

from jw_eval_store.reports.history import moment
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import listed, listing
from jw_eval_store.runs.registry.saving import Saved
from jw_eval_store.store.cases import CaseEvent, CaseRow


def cases_report(cases: Sequence[CaseRow], form: str, page: Page | None = None) -> str:
    """The cases as `table`, `json` or `csv`."""
    rows = [
        (c.case_id, c.layer, c.agent, c.language, c.topic, c.number, bool(c.bundled)) for c in cases
    ]
    columns = ["!case", "layer", "agent", "language", "topic", ">revision", "bundled"]
    optional = ("bundled", "revision", "language", "topic")
    return listed(listing(columns, rows, optional=optional), form, page)


def history_report(events: Sequence[CaseEvent], form: str, page: Page | None = None) -> str:
    """What happened to a case, as `table`, `json` or `csv`."""
    rows = [
        (moment(e.at) if form == "table" else e.at, e.kind, e.number, e.author, e.reason)
        for e in events
    ]
    columns = ["!when", "what", ">revision", "who", "why"]
    return listed(listing(columns, rows), form, page)


def saved_text(saved: Sequence[Saved]) -> str:
    """What became of each case, a line each."""
    return "".join(
        f"{s.outcome:<10}{s.case_id} (revision {s.number}){f'  {s.path}' if s.path else ''}\n"
        for s in saved
    )

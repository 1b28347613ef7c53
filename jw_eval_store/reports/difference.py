"""Two runs compared, for people: what got worse, what got better, and why."""

from __future__ import annotations

from jw_eval_store.domain.reports import CaseDifference, Comparison
from jw_eval_store.reports.escape import markdown
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import Listing, json_text, listed, listing
from jw_eval_store.reports.markdown import comparison_lines
from jw_eval_store.reports.wording import comparison_line, one_line

DIFF_FORMATS = ("text", "json", "md", "csv")
CHANGES = ("regression", "undecided", "unstable", "removed", "changed", "fix", "new", "same")
"""Worst first."""


def difference_report(comparison: Comparison, form: str, page: Page | None = None) -> str:
    """The comparison as `text`, `json`, `md` or `csv`."""
    if form == "json":
        return json_text(comparison)
    if form == "csv":
        return listed(_listing(comparison), "csv")
    if form == "md":
        return (
            "\n".join([f"## {markdown(_title(comparison))}", *comparison_lines(comparison)]) + "\n"
        )
    table = listed(_listing(comparison), "table", page) if comparison.differences else ""
    notes = "".join(f"note: {one_line(note)}\n" for note in comparison.notes)
    statistics = "".join(
        f"{name}: {one_line(str(value))}\n" for name, value in comparison.statistics.items()
    )
    return f"{table}{notes}{statistics}{_title(comparison)}: {comparison_line(comparison)}\n"


def _title(comparison: Comparison) -> str:
    return f"{comparison.candidate} against {comparison.baseline}"


def ordered(comparison: Comparison) -> list[CaseDifference]:
    """The differences, worst first."""
    return sorted(comparison.differences, key=lambda d: (CHANGES.index(d.change), d.case_id))


def _listing(comparison: Comparison) -> Listing:
    return listing(
        ["change", "case", "layer", "before", "after", "why"],
        [
            (d.change, d.case_id, d.layer.upper(), d.before, d.after, d.cause)
            for d in ordered(comparison)
        ],
    )

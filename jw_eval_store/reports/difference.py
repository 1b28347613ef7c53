"""Two runs compared, for people: what got worse, what got better, and why."""

from __future__ import annotations

from jw_eval_store.domain.comparisons import Comparison
from jw_eval_store.reports.compared import comparison_lines, ordered
from jw_eval_store.reports.escape import markdown
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import Listing, json_text, listed, listing
from jw_eval_store.reports.wording import comparison_line, one_line

DIFF_FORMATS = ("text", "json", "md", "csv")


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
    told = f"{one_line(comparison.conclusion)}\n" if comparison.conclusion else ""
    line = f"{_title(comparison)}: {comparison_line(comparison)}\n"
    return "".join([table, notes, line, _rates(comparison), told])


def _rates(comparison: Comparison) -> str:
    """Shares of passes among the comparable cases, with intervals of 95 %."""
    rates = [comparison.statistics.get(f"pass_rate_{side}") for side in ("before", "after")]
    if not all(rates):
        return ""
    before, after = (
        f"{r['passed']} of {r['of']} ({r['low']:.1%} to {r['high']:.1%})" for r in rates if r
    )
    return f"comparable cases that passed: {before}, then {after}\n"


def _title(comparison: Comparison) -> str:
    return f"{comparison.candidate} against {comparison.baseline}"


def _listing(comparison: Comparison, *, details: bool = True) -> Listing:
    return listing(
        ["change", "case", "layer", "before", "after", "why", *(["what differs"] * details)],
        [
            (d.change, d.case_id, d.layer.upper(), d.before, d.after, d.cause,
             *(["; ".join(d.details)] * details))
            for d in ordered(comparison)
        ],
    )  # fmt: skip

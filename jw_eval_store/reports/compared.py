"""A comparison as Markdown: counts, what they allow to say, and the cases, worst first."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.domain.comparisons import CaseDifference, Change, Comparison
from jw_eval_store.reports.escape import code, markdown
from jw_eval_store.reports.wording import comparison_line
from jw_eval_store.text.plurals import plural

CHANGES: tuple[Change, ...] = (
    "regression", "undecided", "unstable", "removed", "changed", "fix", "new",
)  # fmt: skip
"""Worst first."""
SHOWN_DIFFERENCES = 20


def ordered(comparison: Comparison) -> list[CaseDifference]:
    """The differences, worst first."""
    return sorted(comparison.differences, key=lambda d: (CHANGES.index(d.change), d.case_id))


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """What changed against the baseline: counts, notes, and the cases, worst first."""
    yield from ("", f"### Against {code(comparison.baseline)}", "")
    yield f"{markdown(comparison_line(comparison))}."
    yield from ("", *(f"> {markdown(note)}  " for note in comparison.notes))
    if comparison.conclusion:
        yield from (f"> Verdict of the statistics: {markdown(comparison.conclusion)}.", "")
    found = ordered(comparison)
    for difference in found[:SHOWN_DIFFERENCES]:
        yield from _difference(difference)
    if len(found) > SHOWN_DIFFERENCES:
        yield f"- … and {plural(len(found) - SHOWN_DIFFERENCES, 'more difference')}"


def _difference(difference: CaseDifference) -> Iterator[str]:
    before, after = difference.before or "absent", difference.after or "absent"
    what = f"{before} → {after} ({markdown(difference.cause)})"
    yield f"- {difference.change}: {code(difference.case_id)} {what}"
    yield from (f"  - {markdown(line)}" for line in difference.details)

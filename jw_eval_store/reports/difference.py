"""Two runs compared, for people: what got worse, what got better, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jw_eval_store.domain.comparisons import Comparison
from jw_eval_store.reports.compared import comparison_lines, ordered
from jw_eval_store.reports.escape import markdown
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import Listing, json_text, listed, listing
from jw_eval_store.reports.render import rendered
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
    table = _table(comparison, page) if comparison.differences else ""
    return table + _lines([*_summary(comparison)], page)


def _table(comparison: Comparison, page: Page | None) -> str:
    """On a page, what differs stands below the table, where it has all the width."""
    if page is None:
        return listed(_listing(comparison), "table")
    lines = [
        line
        for d in ordered(comparison)
        if d.details
        for line in (f"  {d.case_id}", *(f"    {one_line(detail)}" for detail in d.details))
    ]
    table = listed(_listing(comparison, details=False), "table", page)
    return table + _lines([*(["", "what differs"] if lines else []), *lines, ""], page)


def _lines(lines: Sequence[str], page: Page | None) -> str:
    """The lines, wrapped to the page where there is one; an indented line stays so."""
    if page is None:
        return "".join(f"{line}\n" for line in lines)
    from rich.padding import Padding
    from rich.text import Text

    texts = [line.lstrip() for line in lines]
    indents = [len(line) - len(text) for line, text in zip(lines, texts, strict=True)]
    return rendered(
        [Padding(Text(t), (0, 0, 0, n)) for t, n in zip(texts, indents, strict=True)], page
    )


def _summary(comparison: Comparison) -> Iterator[str]:
    yield from (f"note: {one_line(note)}" for note in comparison.notes)
    yield f"{_title(comparison)}: {comparison_line(comparison)}"
    yield from filter(None, [_rates(comparison), one_line(comparison.conclusion or "")])


def _rates(comparison: Comparison) -> str:
    """Shares of passes among the comparable cases, with intervals of 95 %."""
    rates = [comparison.statistics.get(f"pass_rate_{side}") for side in ("before", "after")]
    if not all(rates):
        return ""
    before, after = (
        f"{r['passed']} of {r['of']} ({r['low']:.1%} to {r['high']:.1%})" for r in rates if r
    )
    return f"comparable cases that passed: {before}, then {after}"


def _title(comparison: Comparison) -> str:
    return f"{comparison.candidate} against {comparison.baseline}"


def _listing(comparison: Comparison, *, details: bool = True) -> Listing:
    return listing(
        ["change", "!case", "layer", "before", "after", "why", *(["what differs"] * details)],
        [
            (d.change, d.case_id, d.layer.upper(), d.before, d.after, d.cause,
             *(["; ".join(d.details)] * details))
            for d in ordered(comparison)
        ],
        optional=("layer",),
    )  # fmt: skip

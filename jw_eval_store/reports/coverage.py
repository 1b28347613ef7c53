"""What the merge policy asks of the registry and what is missing, for people and pull requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from jw_eval_store.domain.coverage import CoverageReport, CoverageRow
from jw_eval_store.reports.escape import code, markdown
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import json_text, listed, listing
from jw_eval_store.reports.wording import one_line
from jw_eval_store.text.plurals import plural

COVERAGE_FORMATS = ("text", "json", "md", "csv")
_COLUMNS = ("agent", "rule", "what", ">wanted", ">there", ">passing", ">missing", "status")


def coverage_report(report: CoverageReport, form: str, page: Page | None = None) -> str:
    """The report as `text` (gaps last, with the commands that fill them), `json`, `md` or `csv`."""
    if form == "json":
        rows = [asdict(row) | {"status": row.status} for row in report.rows]
        return json_text(asdict(report) | {"rows": rows, "ok": report.ok})
    if form == "csv":
        return listed(listing(_COLUMNS, map(_cells, report.rows)), "csv")
    if form == "md":
        return _as_markdown(report)
    return _as_text(report, page)


def coverage_headline(report: CoverageReport) -> str:
    """The verdict in one line."""
    if report.ok:
        met = f"{len(report.rows)} of {plural(len(report.rows), 'rule')} met"
        if not report.weak:
            return f"COVERED: {met}"
        weak = f"{len(report.weak)} by cases of which fewer pass than are wanted (jw-eval run)"
        return f"COVERED, NOT PASSING: {met}, {weak}"
    if report.refused and not report.gaps:
        return f"INVALID: {plural(report.refused, 'file')} could not be read"
    missing = sum(row.missing for row in report.gaps)
    return (
        f"MISSING: {plural(missing, 'item')}, for {len(report.gaps)} of"
        f" {plural(len(report.rows), 'rule')}"
    )


def _cells(row: CoverageRow) -> Sequence[str | int]:
    what = row.what.upper() if row.kind == "layer" else row.what
    return (row.agent, row.kind, what, row.required, row.present, row.passing, row.missing,
            row.status)  # fmt: skip


def _as_text(report: CoverageReport, page: Page | None) -> str:
    found = listing(_COLUMNS, map(_cells, report.rows), optional=("missing", "passing"))
    lines = [listed(found, "table", page)]
    lines += [f"note: {one_line(note)}\n" for note in report.notes]
    if report.gaps:
        lines.append("\nadd what is missing:\n")
        lines += [f"  {command}\n" for command in _commands(report)]
    return "".join([*lines, "\n", coverage_headline(report), "\n"])


def _commands(report: CoverageReport) -> list[str]:
    return list(dict.fromkeys(one_line(row.command) for row in report.gaps if row.command))


def _as_markdown(report: CoverageReport) -> str:
    mark = "❌" if not report.ok else "⚠️" if report.weak else "✅"
    lines = [f"## {mark} {markdown(coverage_headline(report))}", ""]
    for row in report.gaps:
        what = row.what.upper() if row.kind == "layer" else row.what
        lines.append(
            f"- {markdown(row.agent)}, {row.kind} {markdown(what)}:"
            f" {row.present} of {row.required}; {code(row.command)}"
        )
    lines += ["", "<details><summary>All rules</summary>", ""]
    names = [name.lstrip(">") for name in _COLUMNS]
    rules = ["---:" if name.startswith(">") else "---" for name in _COLUMNS]
    lines += [f"| {' | '.join(names)} |", f"|{'|'.join(rules)}|"]
    lines += [f"| {' | '.join(markdown(str(c)) for c in _cells(r))} |" for r in report.rows]
    lines += ["", "</details>", ""]
    return "\n".join(lines)

"""What lint found, for people, programs and pull requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jw_eval_store.golden.lint import RULES, LintFinding
from jw_eval_store.reports.github import Annotation
from jw_eval_store.reports.listing import json_text, listed, listing
from jw_eval_store.reports.wording import one_line, place
from jw_eval_store.runs.registry.linting import LintReport
from jw_eval_store.text.plurals import plural


def lint_report(report: LintReport, form: str) -> str:
    """The findings as `text`, `json`, or `github` annotations."""
    if form == "json":
        return json_text(report)
    if form == "github":
        return "".join(f"{a.command(Path.cwd())}\n" for a in _annotations(report))
    lines = [
        f"{place(f.path, f.line)}: {one_line(f.message)} [refused]{_next(f.hint)}\n"
        for f in report.invalid
    ]
    lines += [_line(finding) for finding in report.findings]
    lines += [f"note: {note}\n" for note in report.notes]
    return "".join([*lines, _verdict(report), "\n"])


def lint_exit_code(report: LintReport, *, strict: bool) -> int:
    """2 where a file was refused, 1 where a rule is broken, else 0."""
    if report.invalid:
        return 2
    return 1 if report.errors or (strict and report.findings) else 0


def rules_text() -> str:
    """Every rule with its gravity and meaning."""
    rows = [(rule.id, rule.severity, rule.description) for rule in RULES.values()]
    return listed(listing(["rule", "severity", "meaning"], rows), "table")


def _line(finding: LintFinding) -> str:
    where = place(finding.path, finding.line) or finding.case_id
    rule = f"[{finding.severity}: {finding.rule}]"
    return f"{where}: {one_line(finding.message)} {rule}{_next(finding.hint)}\n"


def _next(hint: str | None) -> str:
    return f"\n  next: {one_line(hint)}" if hint else ""


def _verdict(report: LintReport) -> str:
    warnings = len(report.findings) + len(report.invalid) - report.errors
    counted = [plural(report.errors, "error"), plural(warnings, "warning")]
    return f"{', '.join(counted)} in {plural(report.checked, 'case')}"


def _annotations(report: LintReport) -> Iterator[Annotation]:
    for fault in report.invalid:
        yield Annotation("error", "refused file", fault.message, fault.path, fault.line)
    for finding in report.findings:
        title = f"{finding.case_id}: {finding.rule}"
        yield Annotation(finding.severity, title, finding.message, finding.path, finding.line)
    for note in report.notes:
        yield Annotation("notice", "not checked", note)

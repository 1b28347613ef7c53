"""The run as GitHub annotations at the cases' lines, and as a step summary."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.domain.reports import CaseReport, SuiteReport
from jw_eval_store.reports.escape import command_data, command_property
from jw_eval_store.reports.interface import Reporter
from jw_eval_store.reports.markdown import MarkdownReporter
from jw_eval_store.reports.wording import headline, problems, reasons_of
from jw_eval_store.text.plurals import plural

PER_LEVEL = 10
"""Errors, and warnings, that GitHub shows of one step."""

SUMMARY_LIMIT = 1024 * 1024
"""GitHub's limit for a step summary, in bytes."""


@dataclass(frozen=True)
class Annotation:
    """One message of level `error`, `warning` or `notice` at a file's line."""

    level: str
    title: str
    message: str
    path: str | None = None
    line: int | None = None

    def command(self, root: Path) -> str:
        """The workflow command; the path is relative to `root`, as GitHub wants it."""
        properties = []
        if self.path:
            properties.append(f"file={command_property(_relative(self.path, root))}")
        if self.path and self.line:
            properties.append(f"line={self.line}")
        properties.append(f"title={command_property(self.title)}")
        return f"::{self.level} {','.join(properties)}::{command_data(self.message)}"


class GithubReporter(Reporter):
    """Workflow commands, worst first, at most ten errors and ten warnings."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd())

    def report(self, report: SuiteReport) -> str:
        """The commands, a line each; how many did not fit is said as a notice."""
        found = [*annotated(report)]
        lines = []
        for level in ("error", "warning"):
            those = [annotation for annotation in found if annotation.level == level]
            lines += [annotation.command(self.root) for annotation in those[:PER_LEVEL]]
            if len(those) > PER_LEVEL:
                rest = plural(len(those) - PER_LEVEL, f"more {level}")
                lines.append(f"::notice title=jw-eval::{rest}, listed in the step summary")
        lines.append(f"::notice title=jw-eval::{command_data(headline(report))}")
        return "\n".join(lines) + "\n"


def annotated(report: SuiteReport) -> Iterator[Annotation]:
    """Refused files, then failures and errors of blocking layers, then the others."""
    for file in report.invalid_files:
        hint = f"\nNext: {file.hint}" if file.hint else ""
        yield Annotation("error", "invalid file", file.message + hint, file.path, file.line)
    blocking = {outcome.layer for outcome in report.gate.layers if outcome.blocking}
    found = problems(report)
    yield from (_of_case(result, "error") for result in found if result.layer in blocking)
    yield from (_of_case(result, "warning") for result in found if result.layer not in blocking)


def _of_case(result: CaseReport, level: str) -> Annotation:
    word = "failed" if result.verdict == "fail" else "could not be decided"
    message = "\n".join(reasons_of(result))
    return Annotation(level, f"{result.case_id} {word}", message, result.path, result.line)


def _relative(path: str, root: Path) -> str:
    full = Path(path).absolute()
    return (full.relative_to(root) if full.is_relative_to(root) else full).as_posix()


def step_summary(report: SuiteReport) -> str:
    """The Markdown report within the limit of a step summary, whatever its letters weigh."""
    limit = SUMMARY_LIMIT
    text = MarkdownReporter(limit).report(report)
    while len(text.encode("utf-8", "replace")) > SUMMARY_LIMIT:
        limit = limit * 9 // 10
        text = MarkdownReporter(limit).report(report)
    return text

"""Where the reports of a run go: `--report FORMAT[:FILE]` and `--out FILE`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jw_eval_cli.output import emit_report, say, stdout_page
from jw_eval_store.domain.errors import UsageError

if TYPE_CHECKING:
    from jw_eval_store.domain.reports import SuiteReport

_BY_SUFFIX = {".md": "md", ".json": "json", ".xml": "junit"}
_MAY_SHARE_STDOUT = {"text", "github"}
_NEEDS_PASSES = {"json", "md", "junit"}


@dataclass(frozen=True)
class Target:
    """One report: its format, and its file (none: stdout)."""

    form: str
    path: Path | None = None


def parse_targets(reports: Sequence[str], out: Path | None) -> list[Target]:
    """The reports asked for; text on stdout where none is.

    `--out` is the file of the one report that names none. Raises UsageError for an unknown format,
    and for two reports that would mix on stdout.
    """
    from jw_eval_store.reports.formats import format_named

    targets = []
    for written in reports:
        name, _, file = written.partition(":")
        targets.append(Target(format_named(name), Path(file) if file else None))
    if out is not None:
        targets = _with_out(targets, out)
    on_stdout = [target.form for target in targets if target.path is None]
    if len(on_stdout) > 1 and set(on_stdout) != _MAY_SHARE_STDOUT:
        first = on_stdout[0]
        raise UsageError("two reports would mix on stdout", hint=f"--report {first}:FILE")
    return targets or [Target("text")]


def _with_out(targets: list[Target], out: Path) -> list[Target]:
    homeless = [index for index, target in enumerate(targets) if target.path is None]
    if not targets:
        return [Target(_BY_SUFFIX.get(out.suffix.lower(), "text"), out)]
    if len(homeless) != 1:
        raise UsageError(
            f"--out {out} fits {len(homeless)} of the reports", hint="write --report FORMAT:FILE"
        )
    return [
        Target(target.form, out) if index == homeless[0] else target
        for index, target in enumerate(targets)
    ]


def need_passes(targets: Sequence[Target]) -> bool:
    """Whether a report lists the cases that passed, too."""
    return any(target.form in _NEEDS_PASSES for target in targets)


def write_all(report: SuiteReport, targets: Sequence[Target], *, explain: bool = False) -> None:
    """Write every report; what can't be written is said, and changes no exit code."""
    from jw_eval_store.reports.formats import reporter
    from jw_eval_store.reports.wording import headline

    for target in targets:
        page = stdout_page() if target.path is None else None
        text = reporter(target.form, page, explain=explain).report(report)
        emit_report(text, target.path)
        if target.form == "github":
            _append_step_summary(report)
    if Target("text") not in targets:
        say(headline(report))


def _append_step_summary(report: SuiteReport) -> None:
    """GitHub shows the file that this variable names on the run's page."""
    from jw_eval_store.reports.github import step_summary
    from jw_eval_store.reports.write import append_report

    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        try:
            append_report(Path(path), step_summary(report))
        except OSError as error:
            say(f"the step summary could not be written: {error}")

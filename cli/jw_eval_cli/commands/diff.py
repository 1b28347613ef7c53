"""`jw-eval diff`: compare two runs."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.completion import complete_run
from jw_eval_cli.options import db_option, format_option, located, out_option
from jw_eval_cli.output import emit_report, list_page


@click.command()
@click.argument("before", shell_complete=complete_run)
@click.argument("after", default="last", shell_complete=complete_run)
@format_option("text", "json", "md", "csv")
@out_option
@db_option
def diff(before: str, after: str, form: str, out: Path | None, db: str | None) -> None:
    """Compare two runs, case by case, and say why they differ.

    BEFORE and AFTER are each a run, a baseline's name or a JSON report. Exits 0 whatever the
    difference; a run with --baseline is a gate.

    \b
    Examples:
      jw-eval diff main last
      jw-eval diff last-run.json last --format md
    """
    from jw_eval_store.reports.difference import difference_report
    from jw_eval_store.runs.diffing import diff_runs

    comparison = diff_runs(located(db), before, after)
    emit_report(difference_report(comparison, form, None if out else list_page()), out)

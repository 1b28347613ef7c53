"""`jw-eval snapshots check` and `drift`."""

from __future__ import annotations

from typing import Any

import click

from jw_eval_cli.commands.snapshots.choosing import case_options, citing_cases
from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit, stdout_page


@click.command()
@case_options
@format_option("text", "json")
@db_option
def check(form: str, db: str | None, **asked: Any) -> None:
    """Look at the cited pages on the live site and say what became of them.

    Exit code 1 for a problem, 3 where a page could not be decided. Every look is kept (view
    v_drift).

    \b
    Example:
      jw-eval snapshots check --agent apologetics
    """
    from jw_eval_cli.progress import shown_progress
    from jw_eval_store.reports.drift import checks_report
    from jw_eval_store.reports.faults import faults_text
    from jw_eval_store.runs.live_check import check_snapshots

    config, cases = configured(db), citing_cases(asked)
    with shown_progress("looking") as hooks:
        found = check_snapshots(config, cases, progress=hooks.progress)
    emit(checks_report(found.checks, form))
    if found.invalid:
        click.echo(faults_text(found.invalid, ""), err=True)
    raise click.exceptions.Exit(found.exit_code)


@click.command()
@click.argument("urls", nargs=-1, metavar="[URL]...")
@format_option("text", "json")
@db_option
def drift(urls: tuple[str, ...], form: str, db: str | None) -> None:
    """Show what changed on pages, as the newest look saw it: old beside new, word by word.

    \b
    Example:
      jw-eval snapshots drift
    """
    from jw_eval_store.reports.drift import drift_report
    from jw_eval_store.runs.drifting import newest_checks

    emit(drift_report(newest_checks(configured(db), urls), form, stdout_page()))

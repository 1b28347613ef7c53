"""`jw-eval coverage`: the merge policy."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.completion import complete_agent
from jw_eval_cli.options import configured, db_option, format_option, out_option
from jw_eval_cli.output import emit_report, list_page


@click.command()
@click.option(
    "--agent",
    multiple=True,
    shell_complete=complete_agent,
    help="Only this agent's rules; repeatable.",
)
@click.option("--all", "everything", is_flag=True, help="All agents of the policy (the default).")
@click.option("--new-since", metavar="REV", help="Ask for the new cases that a feature must bring.")
@click.option("--bundled", is_flag=True, help="Check the bundled cases against their policy.")
@format_option("text", "json", "md", "csv")
@out_option
@db_option
def coverage(
    agent: tuple[str, ...],
    everything: bool,
    new_since: str | None,
    bundled: bool,
    form: str,
    out: Path | None,
    db: str | None,
) -> None:
    """Say which golden cases are missing, against policy.yaml.

    Exit code 1 where any is, 2 where a file is refused.

    \b
    Examples:
      jw-eval coverage --agent apologetics
      jw-eval coverage --new-since origin/main --format md
    """
    from jw_eval_store.domain.errors import UsageError
    from jw_eval_store.reports.coverage import coverage_report
    from jw_eval_store.runs.coverage import CoverageRequest
    from jw_eval_store.runs.coverage import coverage as check

    if everything and agent:
        raise UsageError("--all and --agent exclude each other", hint="leave one out")
    report = check(CoverageRequest(agent, new_since, bundled), configured(db))
    emit_report(coverage_report(report, form, None if out else list_page()), out)
    raise click.exceptions.Exit(report.exit_code)

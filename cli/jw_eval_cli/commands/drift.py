"""`jw-eval drift`: let people hear of cited pages that changed."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit


@click.group(cls=LazyGroup)
def drift() -> None:
    """Let people hear of cited pages that changed.

    \b
    Example:
      jw-eval drift issues --dry-run
    """


@drift.command()
@click.option("--dry-run", is_flag=True, help="Say what would be opened, and ask nobody.")
@click.option("--repo", metavar="OWNER/NAME", help="The repository (default: GITHUB_REPOSITORY).")
@click.option(
    "--from",
    "report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The JSON report of a live run (default: the newest looks in the database).",
)
@format_option("text", "json")
@db_option
def issues(dry_run: bool, repo: str | None, report: Path | None, form: str, db: str | None) -> None:
    """Open, update and close a GitHub issue a page that has a problem, label link-drift.

    Goes through the program gh where it is installed, else through the REST API (GITHUB_TOKEN,
    GITHUB_API_URL).

    \b
    Examples:
      jw-eval drift issues --dry-run
      jw-eval drift issues --from l2-live.json --repo owner/name
    """
    from jw_eval_store.integrations.github_issues import issues_for
    from jw_eval_store.reports.issues import actions_report
    from jw_eval_store.runs.drifting import drift_pages, drift_pages_in

    pages = drift_pages_in(report) if report else drift_pages(configured(db))
    emit(actions_report(issues_for(pages, repo, dry_run=dry_run), form, dry_run=dry_run))

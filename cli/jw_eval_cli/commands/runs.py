"""`jw-eval runs`: the runs of the store."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.completion import complete_run
from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import db_option, format_option, located
from jw_eval_cli.output import emit, list_page


@click.group(cls=LazyGroup)
def runs() -> None:
    """List runs, and show one.

    \b
    Example:
      jw-eval runs list
    """


@runs.command("list")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
@click.option("--bundled/--not-bundled", default=None, help="Only demonstration runs, or none.")
@format_option("table", "json", "csv")
@db_option
def list_(limit: int, bundled: bool | None, form: str, db: str | None) -> None:
    """List the newest runs.

    \b
    Example:
      jw-eval runs list --limit 5
    """
    from jw_eval_store.reports.history import runs_report
    from jw_eval_store.runs.history import list_runs

    found = list_runs(located(db), limit=limit, bundled=bundled)
    emit(runs_report(found, form, list_page()))


@runs.command()
@click.argument("run", default="last", shell_complete=complete_run)
@click.option(
    "--report", "reports", multiple=True, metavar="FORMAT[:FILE]", help="As for jw-eval run."
)
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path))
@db_option
def show(run: str, reports: tuple[str, ...], out: Path | None, db: str | None) -> None:
    """Show RUN (an id, its beginning, or `last`) as it was reported. Exits 0 whatever it says.

    \b
    Examples:
      jw-eval runs show last
      jw-eval runs show 01JW --report md --out report.md
    """
    from jw_eval_cli.targets import parse_targets, write_all
    from jw_eval_store.runs.reporting import show_run

    targets = parse_targets(reports, out)
    write_all(show_run(located(db), run), targets)

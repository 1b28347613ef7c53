"""`jw-eval trend`: how it went over the runs."""

from __future__ import annotations

from typing import Any

import click

from jw_eval_cli.completion import complete_agent, complete_language
from jw_eval_cli.options import db_option, format_option, located
from jw_eval_cli.output import emit, list_page


@click.command()
@click.option("--agent", shell_complete=complete_agent, help="Only this agent.")
@click.option("--layer", metavar="1|2|3", help="Only this layer.")
@click.option("--language", shell_complete=complete_language, help="Only this language.")
@click.option(
    "--by",
    type=click.Choice(["run", "day", "revision"]),
    default="run",
    show_default=True,
    help="A point a run, or the last run of each day or git revision.",
)
@click.option(
    "--last", type=click.IntRange(min=1), default=30, show_default=True, help="Points shown."
)
@click.option("--bundled", is_flag=True, help="Of demonstration runs.")
@format_option("table", "json", "csv")
@db_option
def trend(form: str, db: str | None, **asked: Any) -> None:
    """Show how the share of passes moved, and where the ruler changed: judge, embedder, cases.

    \b
    Example:
      jw-eval trend --agent apologetics --layer 2 --by day
    """
    from jw_eval_store.reports.history import trend_report
    from jw_eval_store.runs.filters import one_language, one_layer
    from jw_eval_store.runs.history import TrendRequest
    from jw_eval_store.runs.history import trend as points_of

    asked["layer"] = one_layer(asked["layer"])
    asked["language"] = one_language(asked["language"])
    emit(trend_report(points_of(TrendRequest(**asked), located(db)), form, list_page()))

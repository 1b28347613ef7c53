"""`jw-eval trend`: how it went over the runs."""

from __future__ import annotations

from pathlib import Path
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
@click.option(
    "--plot",
    "picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also draw it: FILE.svg, or FILE.png (needs the extra `plots`).",
)
@format_option("table", "json", "csv", "md")
@db_option
def trend(form: str, db: str | None, picture: Path | None, **asked: Any) -> None:
    """Show how the share of passes moved, and where the ruler changed: judge, embedder, cases.

    \b
    Examples:
      jw-eval trend --agent apologetics --layer 2 --by day
      jw-eval trend --plot trend.svg
    """
    from jw_eval_store.reports.history import trend_report
    from jw_eval_store.runs.filters import one_language, one_layer
    from jw_eval_store.runs.history import TrendRequest
    from jw_eval_store.runs.history import trend as points_of

    asked["layer"] = one_layer(asked["layer"])
    asked["language"] = one_language(asked["language"])
    points = points_of(TrendRequest(**asked), located(db))
    if picture:
        from jw_eval_store.reports.plot import plot

        named = [asked[key] for key in ("agent", "layer", "language") if asked[key]]
        plot(points, picture, " ".join(["Share of passes:", *(named or ["all"])]))
    emit(trend_report(points, form, list_page()))

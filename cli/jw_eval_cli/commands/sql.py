"""`jw-eval sql`: ask the database."""

from __future__ import annotations

import sys

import click

from jw_eval_cli.options import db_option, format_option, located
from jw_eval_cli.output import emit, list_page, say


@click.command()
@click.argument("statement", required=False)
@click.option(
    "-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="Value for :NAME."
)
@click.option(
    "--limit", type=click.IntRange(min=0), default=1000, show_default=True, help="0: all."
)
@click.option("--timeout", type=click.FloatRange(min=0.1), default=30.0, show_default=True)
@format_option("table", "json", "csv")
@db_option
def sql(
    statement: str | None,
    params: tuple[str, ...],
    limit: int,
    timeout: float,
    form: str,
    db: str | None,
) -> None:
    """Ask the database in SQL, read-only. Without STATEMENT it is read from stdin.

    The views v_case, v_result, v_run_summary, v_trend and others are documented in docs/schema.md.

    \b
    Examples:
      jw-eval sql "select * from v_trend where agent = 'apologetics'"
      jw-eval sql "select * from v_case where topic = :t" -p t=doctrine.trinity --format json
    """
    from jw_eval_store.reports.listing import listed, listing
    from jw_eval_store.runs.filters import parse_pairs
    from jw_eval_store.store.sqlquery import query

    asked = statement if statement is not None else sys.stdin.read()
    path = located(db).database
    named = dict(parse_pairs(params, "--param"))
    result = query(path, asked, named, row_limit=limit or None, seconds=timeout)
    emit(listed(listing(result.columns, result.rows), form, list_page()))
    if result.truncated:
        say(f"only the first {limit} rows are shown; --limit 0 shows all")

"""`jw-eval sql`: ask the database."""

from __future__ import annotations

import sys

import click

from jw_eval_cli.options import FiniteRange, db_option, format_option, located
from jw_eval_cli.output import emit, list_page, say
from jw_eval_store.text.plurals import plural


@click.command()
@click.argument("statement", required=False)
@click.option(
    "-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="Value for :NAME."
)
@click.option(
    "--limit", type=click.IntRange(min=0), default=1000, show_default=True, help="0: all."
)
@click.option("--timeout", type=FiniteRange(min=0.1), default=30.0, show_default=True)
@click.option("--list", "list_views", is_flag=True, help="The views and their columns.")
@format_option("table", "json", "csv", "markdown")
@db_option
def sql(statement: str | None, params: tuple[str, ...], limit: int, timeout: float,
        list_views: bool, form: str, db: str | None) -> None:  # fmt: skip
    """Ask the database in SQL, read-only. Without STATEMENT: a prompt, or what stdin says.

    The views v_case, v_result, v_run_summary, v_trend and others are documented in docs/schema.md;
    docs/sql-cookbook.md answers common questions.

    \b
    Examples:
      jw-eval sql "select * from v_trend where agent = 'apologetics'"
      jw-eval sql "select * from v_case where topic = :t" -p t=doctrine.trinity \\
          --format json
    """
    from jw_eval_store.reports.views import views_text

    if list_views:
        emit(views_text(statement))
        return
    ask = _Asker(db, params, limit, timeout)
    if statement is None and sys.stdin.isatty():
        from jw_eval_cli.sqlprompt import prompt
        from jw_eval_store.store.views import view_docs

        words = [word for view in view_docs() for word in (view.name, *view.columns)]
        prompt(ask, views_text, words)
    else:
        emit(ask(statement if statement is not None else sys.stdin.read(), form))


class _Asker:
    """Answers statements on one database, with the same parameters and limits."""

    def __init__(self, db: str | None, params: tuple[str, ...], limit: int, timeout: float) -> None:
        from jw_eval_store.runs.filters import parse_pairs

        self.path = located(db).database
        self.named = dict(parse_pairs(params, "--param", empty=True))
        self.limit, self.timeout = limit, timeout

    def __call__(self, statement: str, form: str) -> str:
        """The answer as text; that it was cut is said on stderr."""
        from jw_eval_store.reports.listing import listed, listing
        from jw_eval_store.store.sqlquery import query

        limit = self.limit or None
        result = query(self.path, statement, self.named, row_limit=limit, seconds=self.timeout)
        if result.truncated:
            say(f"cut after {plural(self.limit, 'row')}; --limit 0 shows all")
        return listed(listing(result.columns, result.rows), form, list_page())

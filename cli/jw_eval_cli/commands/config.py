"""`jw-eval config`: what is configured, and by whom."""

from __future__ import annotations

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit, list_page, say


@click.group(cls=LazyGroup)
def config() -> None:
    """Where each configured value comes from.

    \b
    Example:
      jw-eval config show
    """


@config.command()
@click.option("--all", "everything", is_flag=True, help="With the values that nobody set.")
@format_option("table", "json", "csv")
@db_option
def show(everything: bool, form: str, db: str | None) -> None:
    """Show each value with its source: flag, variable, project file, user file or default.

    \b
    Example:
      JW_EVAL_LLM=none jw-eval config show
    """
    from jw_eval_store.reports.listing import listed, listing

    found = configured(db)
    say(f"configuration file: {found.file or 'none'}")
    rows = found.described()
    kept = [row for row in rows if everything or row[2] != "default" or row[0] == "db"]
    emit(listed(listing(["key", "value", "source"], kept), form, list_page()))

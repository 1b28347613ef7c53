"""`jw-eval explain`: one verdict taken apart."""

from __future__ import annotations

import click

from jw_eval_cli.completion import complete_case, complete_run
from jw_eval_cli.options import db_option, format_option, located
from jw_eval_cli.output import emit, stdout_page


@click.command()
@click.argument("case", shell_complete=complete_case)
@click.option(
    "--run",
    metavar="RUN",
    shell_complete=complete_run,
    help="The run (default: the newest that judged the case).",
)
@format_option("text", "json")
@db_option
def explain(case: str, run: str | None, form: str, db: str | None) -> None:
    """Say why CASE got its verdict: reasons, inputs, the judge's steps, the answer, the past.

    \b
    Example:
      jw-eval explain l2_verse_john_3_16_es
    """
    from jw_eval_store.reports.explanation import explanation_text
    from jw_eval_store.reports.listing import json_text
    from jw_eval_store.runs.explaining import explain as take_apart

    found = take_apart(located(db), case, run)
    emit(json_text(found) if form == "json" else explanation_text(found, stdout_page()))

"""`jw-eval cases similar`."""

from __future__ import annotations

import click

from jw_eval_cli.completion import complete_case
from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit, list_page


@click.command()
@click.argument("text_or_id", metavar="TEXT|ID", shell_complete=complete_case)
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True)
@click.option("--bundled", is_flag=True, help="With the bundled cases.")
@format_option("table", "json", "csv")
@db_option
def similar(text_or_id: str, limit: int, bundled: bool, form: str, db: str | None) -> None:
    """List golden answers and inputs near TEXT, or near the case ID, with their cosine.

    Cosine tells the topic, not the meaning: a denial is nearer than a paraphrase.

    \b
    Examples:
      jw-eval cases similar "¿Qué es el alma?"
      jw-eval cases similar l3_apologetics_soul_en --bundled
    """
    from jw_eval_store.reports.embeddings import similar_report
    from jw_eval_store.runs.embedding_commands import similar_cases

    found = similar_cases(configured(db), text_or_id, limit=limit, demonstration=bundled)
    emit(similar_report(found, form, list_page()))

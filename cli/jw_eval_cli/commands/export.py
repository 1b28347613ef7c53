"""`jw-eval export`: all results as files."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.options import db_option, located
from jw_eval_cli.output import emit
from jw_eval_store.text.plurals import plural


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "csv", "jsonl"]),
    default="parquet",
    show_default=True,
    help="parquet needs: pip install 'jw-eval-store[export]'.",
)
@click.option("--since", metavar="YYYY-MM", help="Only this month and later ones.")
@db_option
def export(folder: Path, form: str, since: str | None, db: str | None) -> None:
    """Write all results to DIR/month=YYYY-MM/results.parquet, a file a month.

    DuckDB, Spark and BigQuery read such a folder as one table; files that are there are replaced,
    but not where runs in them were pruned since (exit code 2).

    \b
    Examples:
      jw-eval export warehouse
      duckdb -c "select agent, count(*) from 'warehouse/*/*.parquet' group by 1"
    """
    from jw_eval_store.reports.tables import write_table
    from jw_eval_store.runs.exporting import export_results

    for path, count in export_results(located(db), folder, form, write_table, since=since):
        emit(f"{path}: {plural(count, 'result')}\n")

"""`jw-eval snapshots list`, `show` and `verify`."""

from __future__ import annotations

import click

from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit, list_page
from jw_eval_store.text.plurals import plural

bundled_option = click.option("--bundled", is_flag=True, help="The bundled snapshots.")


@click.command("list")
@bundled_option
@format_option("table", "json", "csv")
def list_(bundled: bool, form: str) -> None:
    """List the pages that have a snapshot.

    \b
    Example:
      jw-eval snapshots list --bundled
    """
    from jw_eval_store.reports.listing import listed, listing
    from jw_eval_store.runs.snapshots import list_snapshots

    found = list_snapshots(configured(), demonstration=bundled)
    rows = [(e.url, e.origin, e.scope, e.captured_at.date().isoformat(), e.file) for e in found]
    found_pages = listing(
        ["!url", "!origin", "!scope", "!captured", "file"],
        rows,
        optional=("file", "scope", "origin", "captured"),
        short={"file": 12},
    )
    emit(listed(found_pages, form, list_page()))


@click.command()
@click.argument("url")
@bundled_option
@format_option("text", "json", "html")
def show(url: str, bundled: bool, form: str) -> None:
    """Show the snapshot of the page URL: what is known of it, and its text by anchor.

    \b
    Example:
      jw-eval snapshots show --bundled \\
          https://wol.jw.org/es/wol/d/r4/lp-s/1101989140
    """
    from jw_eval_store.reports.evidence import snapshot_report
    from jw_eval_store.runs.snapshots import show_snapshot

    found = show_snapshot(configured(), url, demonstration=bundled)
    emit(snapshot_report(found, form))


@click.command()
@bundled_option
@db_option
def verify(bundled: bool, db: str | None) -> None:
    """Check that files, manifest and database agree. Exit code 2 if not.

    Every file must be listed, unchanged and rightly named, and be the evidence that the database
    holds (if there is one already).

    \b
    Example:
      jw-eval snapshots verify
    """
    from jw_eval_store.reports.faults import faults_text
    from jw_eval_store.runs.snapshots import verify_snapshots

    count, faults = verify_snapshots(configured(db), demonstration=bundled)
    emit(faults_text(faults, plural(count, "sound snapshot")))
    raise click.exceptions.Exit(2 if faults else 0)

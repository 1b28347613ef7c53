"""`jw-eval snapshots`: the stored pages behind the citations."""

from __future__ import annotations

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, format_option
from jw_eval_cli.output import emit, list_page

bundled_option = click.option("--bundled", is_flag=True, help="The bundled snapshots.")


@click.group(cls=LazyGroup)
def snapshots() -> None:
    """The stored pages behind citations.

    \b
    Example:
      jw-eval snapshots list --bundled
    """


@snapshots.command("list")
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
    columns = ["url", "!origin", "!scope", "!captured", "file"]
    emit(listed(listing(columns, rows), form, list_page()))


@snapshots.command()
@click.argument("url")
@bundled_option
@format_option("text", "json", "html")
def show(url: str, bundled: bool, form: str) -> None:
    """Show the snapshot of the page URL: what is known of it, and its text by anchor.

    \b
    Example:
      jw-eval snapshots show https://wol.jw.org/es/wol/d/r4/lp-s/1101989140 --bundled
    """
    from jw_eval_store.reports.evidence import snapshot_report
    from jw_eval_store.runs.snapshots import show_snapshot

    found = show_snapshot(configured(), url, demonstration=bundled)
    emit(snapshot_report(found, form))


@snapshots.command()
@bundled_option
def verify(bundled: bool) -> None:
    """Check that every file is listed, unchanged and rightly named. Exit code 2 if not.

    \b
    Example:
      jw-eval snapshots verify
    """
    from jw_eval_store.reports.faults import faults_text
    from jw_eval_store.runs.snapshots import verify_snapshots

    count, faults = verify_snapshots(configured(), demonstration=bundled)
    emit(faults_text(faults, f"{count} sound snapshots"))
    raise click.exceptions.Exit(2 if faults else 0)

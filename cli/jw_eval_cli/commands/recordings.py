"""`jw-eval agents recordings`: what agents exchanged over HTTP, to be replayed."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.completion import complete_agent, complete_case
from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, db_option, format_option, located
from jw_eval_cli.output import emit, list_page
from jw_eval_store.text.plurals import plural

agent_option = click.option("--agent", shell_complete=complete_agent, help="Name of the agent.")


@click.group(cls=LazyGroup)
def recordings() -> None:
    """Recorded HTTP exchanges, by case and agent.

    \b
    Example:
      jw-eval agents recordings list
    """


@recordings.command("list")
@format_option("table", "json", "csv")
@db_option
def list_(form: str, db: str | None) -> None:
    """List the recordings that runs replay, with size and age.

    \b
    Example:
      jw-eval agents recordings list
    """
    from jw_eval_store.reports.listing import listed, listing
    from jw_eval_store.runs.recordings import all_recordings

    found = all_recordings(located(db))
    rows = [(a.row.case_id, a.row.agent, a.row.exchanges, a.row.size, a.days) for a in found]
    columns = ["case", "agent", ">exchanges", ">bytes", ">days old"]
    emit(listed(listing(columns, rows), form, list_page()))


@recordings.command()
@click.argument("case", shell_complete=complete_case)
@agent_option
@format_option("table", "json", "csv")
@db_option
def show(case: str, agent: str | None, form: str, db: str | None) -> None:
    """Show the requests that CASE was recorded with.

    \b
    Example:
      jw-eval agents recordings show soul_es --agent apologetics
    """
    from jw_eval_store.reports.listing import listed, listing
    from jw_eval_store.runs.recordings import show_recording

    found = show_recording(located(db), case, agent)
    rows = [(e.method, e.url, e.status, len(e.body)) for e in found.exchanges]
    emit(listed(listing(["!method", "url", ">status", ">bytes"], rows), form, list_page()))


@recordings.command()
@click.option("--max-age", type=click.IntRange(min=0), metavar="DAYS", help="Refuse older ones.")
@db_option
def verify(max_age: int | None, db: str | None) -> None:
    """Check that every recording is whole, and not too old. Exit code 2 if not.

    \b
    Example:
      jw-eval agents recordings verify --max-age 90
    """
    from jw_eval_store.runs.recordings import verify_recordings

    found = verify_recordings(located(db), max_age)
    for row in found.damaged:
        emit(f"{row.case_id} {row.agent}: damaged; record it again")
    for aged in found.old:
        age = plural(aged.days, "day")
        emit(f"{aged.row.case_id} {aged.row.agent}: {age} old; record it again")
    counted = plural(found.count, "recording")
    emit(f"{counted}, {len(found.damaged)} damaged, {len(found.old)} too old")
    raise click.exceptions.Exit(2 if found.damaged or found.old else 0)


@recordings.command()
@db_option
def prune(db: str | None) -> None:
    """Remove recordings that are neither replayed nor named by a verdict.

    \b
    Example:
      jw-eval agents recordings prune
    """
    from jw_eval_store.runs.recordings import prune as remove

    gone, bodies = remove(located(db))
    emit(f"removed {plural(gone, 'recording')}, bodies: {bodies}")


@recordings.command("export")
@click.argument("folder", type=click.Path(path_type=Path))
@db_option
def export_(folder: Path, db: str | None) -> None:
    """Write the recordings to FOLDER (or to one FILE.zip) as HAR files, AGENT/CASE.har.

    \b
    Examples:
      jw-eval agents recordings export recordings
      jw-eval agents recordings export private/recordings.zip
    """
    from jw_eval_store.runs.recordings import export_recordings

    emit(f"wrote {plural(export_recordings(located(db), folder), 'recording')} to {folder}")


@recordings.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--case", required=True, metavar="ID", shell_complete=complete_case)
@click.option("--agent", required=True, shell_complete=complete_agent, help="Name of the agent.")
@db_option
def import_(file: Path, case: str, agent: str, db: str | None) -> None:
    """Make the HAR file FILE the recording of a case; secrets are replaced.

    \b
    Example:
      jw-eval agents recordings import soul.har --case soul_es --agent apologetics
    """
    from jw_eval_store.runs.recordings import import_recording

    found = import_recording(configured(db), file, case, agent)
    emit(f"imported {plural(len(found.exchanges), 'exchange')} for {case}")

"""`jw-eval db`: look after the database file."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import db_option, format_option, located
from jw_eval_cli.output import emit, list_page, say


@click.group(cls=LazyGroup)
def db() -> None:
    """Upgrade, check, describe and back up the database.

    \b
    Example:
      jw-eval db check
    """


@db.command()
@db_option
def upgrade(db: str | None) -> None:
    """Bring the database to this version's schema, after a backup; make it where there is none.

    \b
    Example:
      jw-eval db upgrade
    """
    from jw_eval_store.store.connect import open_for_writing
    from jw_eval_store.store.upgrade import upgrade as bring_up

    path = located(db).database
    if not path.exists():
        open_for_writing(path).close()
    elif backup := bring_up(path):
        say(f"the file as it was: {backup}")
    emit(f"{path} is at the newest schema\n")


@db.command()
@click.option("--repair", is_flag=True, help="Make indexes, views and roll-ups again.")
@db_option
def check(repair: bool, db: str | None) -> None:
    """Check that the file is whole and its content matches its hashes. Exit code 3 if not.

    \b
    Example:
      jw-eval db check --repair
    """
    from jw_eval_store.reports.database import problems_text
    from jw_eval_store.store.check import check as find_problems
    from jw_eval_store.store.repair import repair as mend

    path = located(db).database
    if repair:
        emit("".join(f"{line}\n" for line in mend(path)))
    problems = find_problems(path)
    emit(problems_text(path, problems))
    raise click.exceptions.Exit(3 if any(problem.serious for problem in problems) else 0)


@db.command()
@format_option("text", "json")
@db_option
def info(form: str, db: str | None) -> None:
    """Describe the file: its size, its schema, and what takes the room.

    \b
    Example:
      jw-eval db info --format json
    """
    from jw_eval_store.reports.database import info_text
    from jw_eval_store.reports.listing import json_text
    from jw_eval_store.store.info import info as describe

    found = describe(located(db).database)
    emit(json_text(found) if form == "json" else info_text(found, list_page()))


@db.command()
@click.argument("target", type=click.Path(path_type=Path))
@db_option
def backup(target: Path, db: str | None) -> None:
    """Copy the database to TARGET while it is in use; an existing file is never overwritten.

    \b
    Example:
      jw-eval db backup results-2026-05-30.db
    """
    from jw_eval_store.store.backup import backup as copy

    emit(f"{copy(located(db).database, target)}\n")

"""`jw-eval db`: look after the database file."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import db_option, format_option, located
from jw_eval_cli.output import emit, list_page, say
from jw_eval_store.text.plurals import plural


@click.group(cls=LazyGroup)
def db() -> None:
    """Upgrade, check, describe, merge, prune and back up the database.

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
@click.option(
    "--repair",
    is_flag=True,
    help="Make indexes, views and roll-ups again, and remove what nothing needs.",
)
@db_option
def check(repair: bool, db: str | None) -> None:
    """Check that the file is whole and its content matches its hashes. Exit code 3 if not.

    Without --repair it only says what is wrong, and what --repair would do about it.

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


@db.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--expect-shards",
    type=click.IntRange(min=1),
    metavar="N",
    help="Merge only if each file holds one of the N shards of a run, and none is missing.",
)
@click.option("--gate", is_flag=True, help="Give the shards of a run one verdict: the exit code.")
@click.option(
    "--baseline",
    metavar="NAME|RUN|FILE",
    help="With --gate: what to compare with (default: what the shards were compared with).",
)
@click.option("--report", "reports", multiple=True, metavar="FORMAT[:FILE]", help="With --gate.")
@db_option
def merge(
    files: tuple[Path, ...],
    expect_shards: int | None,
    gate: bool,
    baseline: str | None,
    reports: tuple[str, ...],
    db: str | None,
) -> None:
    """Bring the rows of other database FILES into the database; made where there is none.

    The same files in any order, or once more, give the same content. A file that says otherwise
    under the same key, or has another schema, is refused and changes nothing.

    With --gate, the newest run of each file is a shard of one run (`jw-eval run --shard`); they
    become one run, which is judged by the policy and baseline that the shards were run with.

    \b
    Examples:
      jw-eval db merge laptop.db server.db
      jw-eval db merge shard-*.db --expect-shards 5 --gate --report md:report.md
    """
    if gate:
        raise click.exceptions.Exit(_gate(files, expect_shards, baseline, reports, db))
    if baseline is not None or reports:
        raise click.UsageError("--baseline and --report belong to --gate")
    from jw_eval_store.runs.merging import merge_files

    for file in merge_files(located(db).database, files, expect_shards=expect_shards):
        runs, verdicts = plural(file.runs, "new run"), plural(file.evaluations, "new verdict")
        emit(f"{file.path}: {runs}, {verdicts}\n")


def _gate(
    files: tuple[Path, ...],
    expect_shards: int | None,
    baseline: str | None,
    reports: tuple[str, ...],
    db: str | None,
) -> int:
    from jw_eval_cli.targets import parse_targets, write_all
    from jw_eval_store.runs.merging import merge_and_gate

    targets = parse_targets(reports, None)
    report = merge_and_gate(
        located(db).database, files, expect_shards=expect_shards, baseline=baseline
    )
    write_all(report, targets)
    return report.gate.exit_code


@db.command()
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="The newest N runs.")
@click.option("--keep-since", metavar="DATE", help="Runs started then or later (2026-05-30).")
@click.option("--yes", is_flag=True, help="Do it; without, only say what would go.")
@db_option
def prune(keep: int | None, keep_since: str | None, yes: bool, db: str | None) -> None:
    """Remove the results of older runs, and the verdicts and answers that nothing else needs.

    Baselines in force, and verdicts that kept runs or the next run reuse, stay; so do the list of
    runs and the trends. Without --yes this is a dry run.

    \b
    Example:
      jw-eval db prune --keep 200 --keep-since 2026-01-01
    """
    from jw_eval_store.reports.database import pruned_text
    from jw_eval_store.runs.keeping import prune_results

    done = prune_results(located(db), newest=keep, since=keep_since, dry_run=not yes)
    emit(pruned_text(done, dry_run=not yes))


@db.command()
@db_option
def vacuum(db: str | None) -> None:
    """Give the room of removed rows back to the disk; needs as much free space for a moment.

    \b
    Example:
      jw-eval db vacuum
    """
    from jw_eval_store.reports.database import size
    from jw_eval_store.store.prune import vacuum as shrink

    before, after = shrink(located(db).database)
    emit(f"{size(before)} before, {size(after)} after\n")

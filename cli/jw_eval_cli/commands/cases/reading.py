"""`jw-eval cases list | show | history | diff`."""

from __future__ import annotations

from typing import Any

import click

from jw_eval_cli.completion import complete_case
from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit, list_page, refuse, say
from jw_eval_cli.selecting import selection_from, selection_options

bundled_option = click.option("--bundled", is_flag=True, help="With the bundled cases.")


@click.command("list")
@selection_options
@click.option("--archived", is_flag=True, help="The archived cases instead.")
@bundled_option
@format_option("table", "json", "csv")
@db_option
def list_(archived: bool, bundled: bool, form: str, db: str | None, **asked: Any) -> None:
    """List golden cases. Files that were refused are said on stderr, with exit code 2.

    \b
    Example:
      jw-eval cases list --agent apologetics --layer 2 --format csv
    """
    from jw_eval_store.domain.cases import LAYERS
    from jw_eval_store.reports.cases import cases_report
    from jw_eval_store.runs.registry.showing import list_cases

    selection, _ = selection_from(asked, LAYERS)
    found = list_cases(configured(db), selection, demonstration=bundled, archived=archived)
    for notice in found.notices:
        say(notice)
    emit(cases_report(found.cases, form, list_page()))
    refuse(found.invalid)


@click.command()
@click.argument("case", shell_complete=complete_case)
@click.option("--revision", type=click.IntRange(min=1), help="As it was at this revision.")
@bundled_option
@format_option("yaml", "json")
@db_option
def show(case: str, revision: int | None, bundled: bool, form: str, db: str | None) -> None:
    """Show a case as YAML, byte for byte as it was written.

    \b
    Example:
      jw-eval cases show l1_apologetics_trinity_es --revision 1
    """
    from jw_eval_store.reports.listing import json_text
    from jw_eval_store.runs.registry.showing import show_case

    found = show_case(configured(db), case, number=revision, demonstration=bundled)
    state = ", archived" if found.row.archived else ""
    say(f"{case}, revision {found.number}{state}, file: {found.path or 'none'}")
    emit(json_text(found.case.definition()) if form == "json" else found.source)


@click.command()
@click.argument("case", shell_complete=complete_case)
@bundled_option
@format_option("table", "json", "csv")
@db_option
def history(case: str, bundled: bool, form: str, db: str | None) -> None:
    """What happened to a case, oldest first: who, when, why.

    \b
    Example:
      jw-eval cases history l1_apologetics_trinity_es
    """
    from jw_eval_store.reports.cases import history_report
    from jw_eval_store.runs.registry.showing import case_history

    events = case_history(configured(db), case, demonstration=bundled)
    emit(history_report(events, form, list_page()))


@click.command()
@click.argument("case", shell_complete=complete_case)
@click.argument("before", type=click.IntRange(min=1), required=False)
@click.argument("after", type=click.IntRange(min=1), required=False)
@db_option
def diff(case: str, before: int | None, after: int | None, db: str | None) -> None:
    """What differs between two revisions of a case, by number, as a unified diff.

    Without numbers: the registry against the case's file where they differ, else the last edit.

    \b
    Example:
      jw-eval cases diff l1_apologetics_trinity_es 1 3
    """
    from jw_eval_store.runs.registry.showing import diff_case

    emit(diff_case(configured(db), case, before, after))

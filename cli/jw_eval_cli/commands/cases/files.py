"""`jw-eval cases lint | import | export`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jw_eval_cli.authors import author_option, author_or_git, reason_option
from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit, refuse
from jw_eval_cli.selecting import selection_from, selection_options
from jw_eval_store.text.plurals import plural

_EXISTING = click.Path(exists=True, path_type=Path)


@click.command()
@click.argument("paths", nargs=-1, type=_EXISTING)
@click.option("--bundled", is_flag=True, help="The bundled cases.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option(
    "--max-age",
    type=click.IntRange(min=0),
    metavar="DAYS",
    help="Also refuse older evidence and recordings.",
)
@click.option("--rules", is_flag=True, help="List the rules instead.")
@format_option("text", "json", "github")
@db_option
def lint(
    paths: tuple[Path, ...],
    bundled: bool,
    strict: bool,
    max_age: int | None,
    rules: bool,
    form: str,
    db: str | None,
) -> None:
    """Find mistakes and contradictions in cases, in files PATHS or in the configured folders.

    Exit code 1 where a rule is broken, 2 where a file is refused. Needs no network, and for files
    no database. A rule is switched off in the case, with a reason: `lint: {RULE: why}`.

    \b
    Examples:
      jw-eval cases lint golden/
      jw-eval cases lint --max-age 90
      jw-eval cases lint --rules
    """
    from jw_eval_store.reports.lint import lint_exit_code, lint_report, rules_text
    from jw_eval_store.runs.registry.linting import lint_cases

    if rules:
        emit(rules_text())
        return
    found = lint_cases(configured(db), paths, demonstration=bundled, max_age=max_age)
    emit(lint_report(found, form))
    raise click.exceptions.Exit(lint_exit_code(found, strict=strict))


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=_EXISTING)
@author_option
@reason_option
@db_option
def import_(
    paths: tuple[Path, ...], author: str | None, reason: str | None, db: str | None
) -> None:
    """Take in cases from files and folders. Archives nothing; exit code 2 where a file is refused.

    \b
    Example:
      jw-eval cases import golden/
    """
    from jw_eval_store.reports.cases import saved_text
    from jw_eval_store.runs.registry.transfer import import_cases

    config = configured(db)
    report = import_cases(config, paths, author=author_or_git(author, config), reason=reason)
    emit(saved_text(report.saved))
    refuse(report.invalid)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@selection_options
@click.option("--bundled", is_flag=True, help="The bundled cases.")
@db_option
def export(folder: Path, bundled: bool, db: str | None, **asked: Any) -> None:
    """Write cases to a folder, a file each, as LAYER/ID.yaml. Prints the files that changed.

    \b
    Example:
      jw-eval cases export golden/ --agent apologetics
    """
    from jw_eval_store.domain.cases import LAYERS
    from jw_eval_store.runs.registry.transfer import export_cases

    selection, _ = selection_from(asked, LAYERS)
    report = export_cases(configured(db), folder, selection, demonstration=bundled)
    emit("".join(f"{path}\n" for path in report.written))
    click.echo(f"jw-eval: unchanged: {plural(len(report.unchanged), 'file')}", err=True)
    refuse(report.invalid)

"""`jw-eval cases edit | archive | restore`."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.authors import author_option, author_or_git, reason_option
from jw_eval_cli.completion import complete_case
from jw_eval_cli.options import configured, db_option
from jw_eval_cli.output import emit


@click.command()
@click.argument("case", shell_complete=complete_case)
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a key, dotted; twice makes a list, an empty value removes it.",
)
@click.option(
    "-f",
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Its new YAML; - is stdin.",
)
@click.option("-e", "--editor", is_flag=True, help="Change it in the editor.")
@author_option
@reason_option
@db_option
def edit(
    case: str,
    assignments: tuple[str, ...],
    file: Path | None,
    editor: bool,
    author: str | None,
    reason: str | None,
    db: str | None,
) -> None:
    """Change a case: a new revision is made, the old one is kept. Its file is changed, too.

    \b
    Examples:
      jw-eval cases edit l1_soul_es --set expected.min_findings=3 \\
          --reason "a source was added"
      jw-eval cases edit l1_soul_es --editor
    """
    from jw_eval_cli.drafts import changed_source, kept_if_refused
    from jw_eval_store.golden.drafting import assigned
    from jw_eval_store.reports.cases import saved_text
    from jw_eval_store.runs.registry.changing import edit_case

    config = configured(db)
    changes = assigned(assignments)
    source, before = changed_source(config, case, changes, file, editor)
    who = author_or_git(author, config)
    with kept_if_refused(source, editor):
        saved = edit_case(
            config, case, changes=changes, source=source, based_on=before, author=who, reason=reason
        )
    emit(saved_text([saved]))


@click.command()
@click.argument("case", shell_complete=complete_case)
@author_option
@reason_option
@db_option
def archive(case: str, author: str | None, reason: str | None, db: str | None) -> None:
    """Take a case out of all runs; its history and results are kept, its file goes.

    \b
    Example:
      jw-eval cases archive l1_soul_es --reason "asks what l1_soul_en asks"
    """
    from jw_eval_store.runs.registry.changing import archive_case

    config = configured(db)
    saved = archive_case(config, case, author=author_or_git(author, config), reason=reason)
    what = "archived already" if saved.outcome == "unchanged" else "archived"
    emit(f"{what}  {saved.case_id} (revision {saved.number})\n")


@click.command()
@click.argument("case", shell_complete=complete_case)
@author_option
@reason_option
@db_option
def restore(case: str, author: str | None, reason: str | None, db: str | None) -> None:
    """Bring an archived case back with its last content; its file is written again.

    \b
    Example:
      jw-eval cases restore l1_soul_es
    """
    from jw_eval_store.reports.cases import saved_text
    from jw_eval_store.runs.registry.changing import restore_case

    config = configured(db)
    saved = restore_case(config, case, author=author_or_git(author, config), reason=reason)
    emit(saved_text([saved]))

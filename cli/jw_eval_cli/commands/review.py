"""`jw-eval review`: people say what verdicts should have been."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from jw_eval_cli.completion import complete_case, complete_run
from jw_eval_cli.options import db_option, located
from jw_eval_cli.output import emit

if TYPE_CHECKING:
    from jw_eval_store.config.database import Located


@click.command()
@click.argument("case", required=False, shell_complete=complete_case)
@click.option(
    "--run",
    metavar="RUN",
    shell_complete=complete_run,
    help="The run (default: the newest with such a verdict).",
)
@click.option("--verdict", help="pass or fail; with --node, the node's right answer.")
@click.option("--reason", help="Why.")
@click.option("--node", help="The label is about this node of the judge's walk only.")
@click.option("--author", help="Who says so (default: git's user.name, or $USER).")
@db_option
def review(
    case: str | None,
    run: str | None,
    verdict: str | None,
    reason: str | None,
    node: str | None,
    author: str | None,
    db: str | None,
) -> None:
    """Say what verdicts should have been: one after another on a terminal, or CASE by options.

    Verdicts that judges disagree on come first, then what is undecided, then the narrow ones.
    Labels are appended, never changed; of yours on a verdict the newest counts. See
    `jw-eval judge agreement`, and `select * from v_disagreement`.

    \b
    Examples:
      jw-eval review
      jw-eval review l3_apologetics_soul_en --verdict fail \\
          --reason "it weakens the denial"
      jw-eval review l3_apologetics_soul_en --node contradiction --verdict yes
    """
    from jw_eval_cli.reviewing import walk_through
    from jw_eval_store.reports.review import labelled_text
    from jw_eval_store.runs.reviewing import add_label, checked_request
    from jw_eval_store.store.labels import HumanLabel

    config = located(db)
    who = author or _author(config)
    if checked_request(case, verdict, node, terminal=sys.stdin.isatty()) == "walk":
        walk_through(config, run, case, who)
        return
    label = HumanLabel(verdict or "", who, reason, node)
    emit(labelled_text(add_label(config, case or "", label, run)))


def _author(config: Located) -> str:
    import getpass

    from jw_eval_store.runs import git

    return git.user_name(config.root) or getpass.getuser()

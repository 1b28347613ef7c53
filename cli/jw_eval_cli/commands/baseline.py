"""`jw-eval baseline`: runs approved by name."""

from __future__ import annotations

import click

from jw_eval_cli.completion import complete_baseline, complete_run
from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import db_option, format_option, located
from jw_eval_cli.output import emit, list_page

author_option = click.option("--author", help="Who (default: git's user.name).")


@click.group(cls=LazyGroup)
def baseline() -> None:
    """Approve a run as what later runs are compared with, list approvals, and revoke them.

    \b
    Example:
      jw-eval baseline approve last --name main --reason "release 1.4"
    """


@baseline.command()
@click.argument("run", shell_complete=complete_run)
@click.option("--name", required=True, help="Such as main; the newest approval of a name holds.")
@click.option("--reason", required=True, help="Why; kept with the approval.")
@author_option
@click.option("--force", is_flag=True, help="Although it has errors or skips; this is recorded.")
@db_option
def approve(
    run: str, name: str, reason: str, author: str | None, force: bool, db: str | None
) -> None:
    """Approve RUN (an id, its beginning, or `last`) as a baseline.

    \b
    Example:
      jw-eval baseline approve last --name main --reason "release 1.4"
    """
    from jw_eval_store.reports.baselines import approval_text
    from jw_eval_store.runs import git
    from jw_eval_store.runs.approving import approve_run

    config = located(db)
    who = author or git.user_name(config.root)
    emit(approval_text(approve_run(config, run, name, author=who, reason=reason, force=force)))


@baseline.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what was revoked or replaced.")
@format_option("table", "json", "csv")
@db_option
def list_(everything: bool, form: str, db: str | None) -> None:
    """List the baselines in force.

    \b
    Example:
      jw-eval baseline list --all
    """
    from jw_eval_store.reports.baselines import approvals_report
    from jw_eval_store.runs.approving import list_approvals

    emit(approvals_report(list_approvals(located(db), everything=everything), form, list_page()))


@baseline.command()
@click.argument("name", shell_complete=complete_baseline)
@format_option("text", "json")
@db_option
def show(name: str, form: str, db: str | None) -> None:
    """Show the baseline NAME: its run, who approved it, and why.

    \b
    Example:
      jw-eval baseline show main
    """
    from jw_eval_store.reports.baselines import approval_text
    from jw_eval_store.reports.listing import json_text
    from jw_eval_store.runs.approving import show_approval

    found = show_approval(located(db), name)
    emit(json_text(found) if form == "json" else approval_text(found))


@baseline.command()
@click.argument("name", shell_complete=complete_baseline)
@click.option("--reason", required=True, help="Why; kept with the approval.")
@author_option
@db_option
def revoke(name: str, reason: str, author: str | None, db: str | None) -> None:
    """Take the approval of NAME back; an earlier one of that name holds again.

    \b
    Example:
      jw-eval baseline revoke main --reason "wrong run"
    """
    from jw_eval_store.reports.baselines import approval_text
    from jw_eval_store.runs import git
    from jw_eval_store.runs.approving import revoke_approval

    config = located(db)
    who = author or git.user_name(config.root)
    emit(approval_text(revoke_approval(config, name, author=who, reason=reason)))

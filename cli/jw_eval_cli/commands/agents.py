"""`jw-eval agents`: who can be asked, whether they answer, and what they exchange."""

from __future__ import annotations

from typing import Any

import click

from jw_eval_cli.commands.recordings import recordings
from jw_eval_cli.completion import complete_agent
from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, db_option, format_option
from jw_eval_cli.output import emit, list_page, say
from jw_eval_cli.selecting import selection_from, selection_options
from jw_eval_store.text.plurals import plural


@click.group(cls=LazyGroup)
def agents() -> None:
    """The agents, and where each comes from.

    \b
    Example:
      jw-eval agents list
    """


agents.add_command(recordings)


@agents.command("list")
@click.option("--bundled", is_flag=True, help="With the sample agents.")
@format_option("table", "json", "csv")
def list_(bundled: bool, form: str) -> None:
    """List the agents that can be named, without starting them.

    \b
    Example:
      jw-eval agents list --bundled
    """
    from jw_eval_store.reports.listing import listed, listing
    from jw_eval_store.runs.agents import list_agents

    found = list_agents(configured(), demonstration=bundled)
    rows = [(agent.name, agent.adapter, agent.origin) for agent in found]
    emit(listed(listing(["agent", "adapter", "origin"], rows), form, list_page()))


@agents.command()
@click.argument("names", nargs=-1, shell_complete=complete_agent)
@click.option(
    "--agent",
    "agents_named",
    multiple=True,
    shell_complete=complete_agent,
    help="The same as NAMES; repeatable.",
)
@click.option("--twice", is_flag=True, help="Ask again, and name the fields that differ.")
@format_option("table", "json", "csv")
@db_option
def check(
    names: tuple[str, ...], agents_named: tuple[str, ...], twice: bool, form: str, db: str | None
) -> None:
    """Start each agent (or only NAMES) and ask it its first case, offline as in a run.

    Exit code 3 if one does not answer, 1 if one answers differently the second time.

    \b
    Example:
      jw-eval agents check --agent apologetics --twice
    """
    from jw_eval_store.reports.listing import listed, listing
    from jw_eval_store.runs.checking import check_agents

    asked = tuple(dict.fromkeys((*names, *agents_named)))
    found = check_agents(configured(db), asked, twice=twice)
    columns = ["agent", "interpreter", "fingerprint", ">files", "!case", "answer", "differs"]
    rows = [
        (c.agent, c.interpreter, c.fingerprint, c.files, c.case_id, c.problem or c.answer,
         ", ".join(c.volatile))
        for c in found
    ]  # fmt: skip
    optional = ("interpreter", "fingerprint", "files")
    checked = listing(columns, rows, optional=optional, short={"fingerprint": 12})
    emit(listed(checked, form, list_page()))
    for c in found:
        if c.volatile:
            say(f"{c.agent} answers differently; if that is meant: volatile = {list(c.volatile)}")
    failed = 3 if any(c.problem for c in found) else 0
    raise click.exceptions.Exit(failed or int(any(c.volatile for c in found)))


@agents.command()
@selection_options
@db_option
def record(db: str | None, **asked: Any) -> None:
    """Ask agents with the network open, and store what they exchange, without secrets.

    Exit code 3 if a case could not be recorded.

    \b
    Examples:
      jw-eval agents record --agent apologetics
      jw-eval agents record --case soul_es
    """
    from jw_eval_store.runs.recording import record_cases

    selection, _ = selection_from(asked, ("l1", "l2", "l3"))
    found = record_cases(configured(db), selection, lambda r: say(r.text))
    problems = sum(bool(r.problem) for r in found)
    emit(f"recorded {len(found) - problems} of {plural(len(found), 'case')}")
    raise click.exceptions.Exit(3 if problems else 0)

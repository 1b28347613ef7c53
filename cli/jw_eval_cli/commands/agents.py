"""`jw-eval agents`: who can be asked."""

from __future__ import annotations

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, format_option
from jw_eval_cli.output import emit, list_page


@click.group(cls=LazyGroup)
def agents() -> None:
    """The agents, and where each comes from.

    \b
    Example:
      jw-eval agents list
    """


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

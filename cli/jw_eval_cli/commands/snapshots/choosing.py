"""The cases whose pages a command is about: `--case` and `--agent`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jw_eval_cli.completion import complete_agent, complete_case

if TYPE_CHECKING:
    from jw_eval_store.domain.selections import Selection

F = TypeVar("F", bound=Callable[..., Any])


def case_options(command: F) -> F:
    """Add `--case` and `--agent` to a command."""
    agent = click.option(
        "--agent",
        multiple=True,
        shell_complete=complete_agent,
        help="Only what this agent's cases cite; repeatable.",
    )
    case = click.option(
        "--case",
        multiple=True,
        metavar="ID",
        shell_complete=complete_case,
        help="Only what this case cites; repeatable.",
    )
    return case(agent(command))


def citing_cases(asked: dict[str, Any]) -> Selection:
    """Take the cases that cite pages (layers 2 and 3) out of a command's parameters."""
    from jw_eval_store.runs.live_check import CITING_LAYERS

    return CITING_LAYERS.model_copy(
        update={"case_ids": asked.pop("case"), "agents": asked.pop("agent")}
    )

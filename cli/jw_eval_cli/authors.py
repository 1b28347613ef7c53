"""Who changes a case, and why: options shared by the commands that do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from jw_eval_store.config import Config

author_option = click.option("--author", help="Who changes it (default: git's user.name).")
reason_option = click.option("--reason", help="Why; kept in the case's history.")


def author_or_git(author: str | None, config: Config) -> str | None:
    """The author given, else the one that git knows."""
    from jw_eval_store.runs import git

    return author or git.user_name(config.root)

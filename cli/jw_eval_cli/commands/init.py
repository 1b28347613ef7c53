"""`jw-eval init`: start a project."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.output import emit


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--force", is_flag=True, help="Overwrite the files that are there.")
def init(folder: Path, force: bool) -> None:
    """Write a commented jw-eval.toml and policy.yaml, and make the folders they name.

    \b
    Example:
      jw-eval init
    """
    from jw_eval_store.config.start import start_project

    for path in start_project(folder, force=force):
        emit(f"{path}\n")

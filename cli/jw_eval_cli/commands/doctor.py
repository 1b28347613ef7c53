"""`jw-eval doctor`: is everything there?"""

from __future__ import annotations

import click

from jw_eval_cli.options import db_option, format_option
from jw_eval_cli.output import emit, list_page


@click.command()
@format_option("text", "json")
@db_option
def doctor(form: str, db: str | None) -> None:
    """Check Python, SQLite, configuration, database, folders, agents, embedder and judge.

    Agents are started and the judge is asked one small question. Exit code 1 where something is
    broken; what is only missing is noted.

    \b
    Example:
      jw-eval doctor
    """
    from jw_eval_store.config import load_config
    from jw_eval_store.integrations.doctor.checkup import examine
    from jw_eval_store.reports.checkup import checkup_text
    from jw_eval_store.reports.listing import json_text

    findings = list(examine(load_config(overrides={"db": db})))
    rows = [(found.part, found.state, found.text, found.hint) for found in findings]
    emit(json_text(findings) if form == "json" else checkup_text(rows, list_page()))
    raise click.exceptions.Exit(1 if any(found.state == "broken" for found in findings) else 0)

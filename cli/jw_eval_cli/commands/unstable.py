"""`jw-eval unstable`: cases whose verdict wavers."""

from __future__ import annotations

import click

from jw_eval_cli.completion import complete_agent
from jw_eval_cli.options import FiniteRange, configured, db_option, format_option
from jw_eval_cli.output import emit, list_page


@click.command()
@click.option("--agent", shell_complete=complete_agent, help="Only this agent's cases.")
@click.option(
    "--min-rate",
    type=FiniteRange(0, 1),
    default=0.0,
    show_default=True,
    help="Only cases whose share of deviating verdicts is at least this.",
)
@click.option("--bundled", is_flag=True, help="With the quarantine of the bundled policy.")
@format_option("table", "json", "csv", "policy")
@db_option
def unstable(agent: str | None, min_rate: float, bundled: bool, form: str, db: str | None) -> None:
    """List cases that got different verdicts from the same inputs.

    `run --repeat K` finds them. The policy's `accepted:` is their quarantine: a case in it may
    fail until a date; `--format policy` prints the lines that put them there.

    \b
    Examples:
      jw-eval unstable --min-rate 0.1
      jw-eval unstable --agent apologetics --format policy
    """
    from jw_eval_store.reports.unstable import unstable_report
    from jw_eval_store.runs.unstable import unstable as wavering

    found = wavering(configured(db), agent=agent, least=min_rate, bundled=bundled)
    emit(unstable_report(found, form, list_page()))

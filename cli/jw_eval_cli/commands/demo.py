"""`jw-eval demo`: a history to look at."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.output import emit, say

_THEN = """
Look at it:

  cd {folder}
  jw-eval runs list
  jw-eval trend
  jw-eval diff reports/well.json reports/regression.json
  jw-eval diff reports/repaired.json reports/drift.json
  jw-eval diff reports/renewed.json reports/judge.json
  jw-eval explain l3_apologetics_trinity_basic_es
  jw-eval coverage
"""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="jw-eval-demo")
def demo(folder: Path) -> None:
    """Make a throw-away project in FOLDER with a history to look at.

    The bundled cases are judged over and over while the sample agents, a page, a case and the
    judge change: a regression, a drift and a change of judges are in it. The history is made up;
    the runs are real.

    \b
    Example:
      jw-eval demo
    """
    from jw_eval_store.integrations.demo.history import play
    from jw_eval_store.reports.wording import headline

    play(folder, lambda step, report: say(f"{step.what}\n         {headline(report)}"))
    emit(_THEN.format(folder=folder))

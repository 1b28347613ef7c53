"""`jw-eval rejudge`: judge stored answers again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jw_eval_cli.completion import complete_case, complete_run
from jw_eval_cli.options import db_option


@click.command()
@click.argument("run", default="last", shell_complete=complete_run)
@click.option(
    "--judge",
    "llm",
    type=click.Choice(["ollama", "openai", "claude", "none"]),
    help="Who judges (default: as configured).",
)
@click.option("--model", help="Its model.")
@click.option("--url", help="Its address.")
@click.option(
    "--case", "case_ids", multiple=True, metavar="ID", shell_complete=complete_case,
    help="Only this case; repeatable.",
)  # fmt: skip
@click.option("--fresh", is_flag=True, help="Ask the judge anew, whatever it answered before.")
@click.option(
    "--report", "reports", multiple=True, metavar="FORMAT[:FILE]", help="As for jw-eval run."
)
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path))
@db_option
def rejudge(
    reports: tuple[str, ...], out: Path | None, db: str | None, run: str, **asked: Any
) -> None:
    """Judge the answers of RUN (an id, its beginning, or `last`) again; no agent is asked.

    Only meaning (L3) is judged again. The verdicts are a run of their own, which `jw-eval diff`
    compares with the first one.

    \b
    Examples:
      jw-eval rejudge last
      jw-eval rejudge 01JW --judge openai --url http://127.0.0.1:8080/v1 --fresh
    """
    from jw_eval_cli.progress import shown_progress
    from jw_eval_cli.targets import parse_targets, write_all
    from jw_eval_store.config import load_config
    from jw_eval_store.runs.judge_tools import with_judge
    from jw_eval_store.runs.rejudging import RejudgeRequest
    from jw_eval_store.runs.rejudging import rejudge as judge_again

    targets = parse_targets(reports, out)
    judge = (asked.pop("llm"), asked.pop("model"), asked.pop("url"))
    config = with_judge(load_config(overrides={"db": db}), *judge)
    with shown_progress() as hooks:
        report = judge_again(RejudgeRequest(run=run, **asked), config, hooks)
    write_all(report, targets)
    raise click.exceptions.Exit(report.gate.exit_code)

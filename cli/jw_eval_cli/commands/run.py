"""`jw-eval run`: judge golden cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jw_eval_cli.completion import complete_run
from jw_eval_cli.options import db_option
from jw_eval_cli.selecting import selection_from, selection_options

if TYPE_CHECKING:
    from jw_eval_store.config import Config
    from jw_eval_store.domain.reports import SuiteReport
    from jw_eval_store.runs.request import RunRequest
    from jw_eval_store.runs.suite import Hooks

_MANY: Any = {"multiple": True}


@click.command()
@selection_options
@click.option(
    "--since",
    metavar="last|RUN|DATE|REV",
    help="Judge only what changed; reuse verdicts of earlier runs, of runs since a run or date, or"
    " recorded at a git revision or its ancestors.",
)
@click.option("--explain", is_flag=True, help="Say why each case was judged or reused.")
@click.option(
    "--baseline", metavar="NAME|RUN|FILE", help="Compare with an approved run or a JSON report."
)
@click.option(
    "--report",
    "reports",
    **_MANY,
    metavar="FORMAT[:FILE]",
    help="text (default), json, md, junit or github; repeatable.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of the report that names none.",
)
@click.option(
    "--shard",
    metavar="K/N",
    help="Judge the K-th of N parts, told by case id; join them with `jw-eval db merge --gate`.",
)
@click.option("--jobs", type=click.IntRange(1, 1000), help="Cases judged at once (default: CPUs).")
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    metavar="K",
    help="Ask and judge each case K times; the verdict of more than half counts.",
)
@click.option("--fresh", is_flag=True, help="Ask judges anew, whatever they answered before.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure of a blocking layer.")
@click.option("--bundled", is_flag=True, help="Judge the bundled cases with the sample agents.")
@click.option(
    "--recordings",
    type=click.Path(exists=True, path_type=Path),
    metavar="FILE",
    help="Replay from this zip or folder of AGENT/CASE.har.",
)
@click.option("--live", is_flag=True, help="Look at the cited pages instead; no agent runs.")
@click.option("--gate-live", is_flag=True, help="With --live: problems of pages fail the run.")
@click.option(
    "--resume", metavar="RUN", shell_complete=complete_run, help="Finish an interrupted run."
)
@click.option(
    "--min-pass", **_MANY, metavar="LAYER=SHARE", help="The bar of a layer, such as l2=0.98."
)
@click.option(
    "--min-decided", **_MANY, metavar="LAYER=SHARE", help="Share that must be decided: l3=0.9."
)
@db_option
def run(
    reports: tuple[str, ...],
    out: Path | None,
    live: bool,
    gate_live: bool,
    db: str | None,
    **asked: Any,
) -> None:
    """Judge golden cases and say whether they pass.

    Layers 1 and 2 are judged, unless --layer names others. Every verdict is stored as it comes.
    The report goes to stdout; the exit code says what the verdict says.

    \b
    Examples:
      jw-eval run --bundled
      jw-eval run --layer 1,2 --since last --baseline main
      jw-eval run --filter agent=apologetics --report md --out report.md
      jw-eval run --layer 2 --live --report json --out l2-live.json
    """
    from jw_eval_cli.progress import shown_progress
    from jw_eval_cli.targets import need_passes, parse_targets, write_all
    from jw_eval_store.config import load_config

    if gate_live and not live:
        raise click.UsageError("--gate-live belongs to --live")
    targets = parse_targets(reports, out)
    request = _request(**asked)
    config = load_config(overrides={"db": db})  # its notices stand in the report
    everything = need_passes(targets) or not request.since or request.explain
    with shown_progress() as hooks:
        if live:
            report = _live(request, config, hooks, gate_live=gate_live)
        else:
            report = _suite(request, config, hooks, everything)
    write_all(report, targets, explain=request.explain)
    raise click.exceptions.Exit(report.gate.exit_code)


def _suite(request: RunRequest, config: Config, hooks: Hooks, everything: bool) -> SuiteReport:
    from jw_eval_store.runs.suite import run_suite

    return run_suite(request, config, hooks, all_results=everything)


def _live(request: RunRequest, config: Config, hooks: Hooks, *, gate_live: bool) -> SuiteReport:
    from jw_eval_store.runs.live import run_live

    return run_live(request, config, gate_live=gate_live, progress=hooks.progress)


def _request(
    min_pass: tuple[str, ...], min_decided: tuple[str, ...], shard: str | None, **asked: Any
) -> RunRequest:
    from jw_eval_store.domain.shards import parse_shard
    from jw_eval_store.runs.filters import parse_shares
    from jw_eval_store.runs.request import DEFAULT_LAYERS, RunRequest

    selection, layers_asked = selection_from(asked, DEFAULT_LAYERS)
    return RunRequest(
        selection=selection,
        layers_asked=layers_asked,
        shard=parse_shard(shard) if shard else None,
        min_pass=parse_shares(min_pass, "--min-pass"),
        min_decided=parse_shares(min_decided, "--min-decided"),
        **asked,
    )

"""`jw-eval judge`: the model that judges meaning, and how far it can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, db_option, format_option, located
from jw_eval_cli.output import emit, emit_report, list_page, say

_FILE: Any = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group(cls=LazyGroup)
def judge() -> None:
    """Try the judge out, look at its graphs, and see how far it can be trusted.

    \b
    Example:
      jw-eval judge check
    """


@judge.command()
def check() -> None:
    """Say whether the judge is reachable, who answers, and how well and fast. Exit code 3 if not.

    \b
    Examples:
      jw-eval judge check
      JW_EVAL_LLM=openai JW_EVAL_LLM_URL=http://127.0.0.1:8080/v1 jw-eval judge check
    """
    from jw_eval_store.runs.judge_tools import check_judge

    found = check_judge(configured())
    emit("".join(f"{line}\n" for line in found.lines))
    emit(f"{'it can judge' if found.ok else 'it can NOT judge'}\n")
    raise click.exceptions.Exit(0 if found.ok else 3)


@judge.command()
@click.argument("graph")
@click.option("--mermaid", is_flag=True, help="As a Mermaid flow chart.")
@click.option("--language", type=click.Choice(["en", "es"]), default="en", show_default=True)
def show(graph: str, mermaid: bool, language: str) -> None:
    """Draw GRAPH: the name of a ready-made one, or a YAML file.

    \b
    Examples:
      jw-eval judge show fidelity
      jw-eval judge show golden/l3/soul.graph.yaml --mermaid
    """
    from jw_eval_store.runs.judge_tools import graph_drawing

    emit(graph_drawing(graph, as_mermaid=mermaid, language=language))


@judge.command()
@click.option("--pairs", type=_FILE, required=True, help="Labelled pairs: .jsonl, .csv or .tsv.")
@click.option(
    "--false-passes",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.01,
    show_default=True,
    help="Share of wrong answers that may pass without a judge, in every set and language.",
)
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw it here, too.")
@db_option
def calibrate(pairs: Path, false_passes: float, svg: Path | None, db: str | None) -> None:
    """Find the embedder's thresholds on labelled pairs, and bring them into force.

    A pair has `reference` (the golden answer), `text`, `label` (pass or fail, entailed or
    contradicted, ...) and `language`; `set` and `licence` are kept with the result.

    \b
    Example:
      jw-eval judge calibrate --pairs pairs.csv --false-passes 0.01 --svg curve.svg
    """
    from jw_eval_store.judges.curves import svg_plot
    from jw_eval_store.reports.profiles import calibration_text
    from jw_eval_store.runs.calibrating import calibrate_from

    found = calibrate_from(configured(db), pairs, false_passes)
    emit(calibration_text(found))
    if svg is not None and emit_report(svg_plot(found), svg):
        say(f"drawn in {svg}")


@judge.command()
@format_option("table", "json", "csv")
@db_option
def profiles(form: str, db: str | None) -> None:
    """List the threshold profiles, calibrated and shipped, and which of them hold.

    \b
    Example:
      jw-eval judge profiles
    """
    from jw_eval_store.reports.profiles import profiles_report
    from jw_eval_store.runs.calibrating import known_profiles

    emit(profiles_report(known_profiles(located(db)), form, list_page()))


@judge.command()
@format_option("table", "json", "csv")
@db_option
def agreement(form: str, db: str | None) -> None:
    """How far each judge, and each of its nodes, agrees with the people who reviewed it.

    Shares come with Wilson's interval of 95 %. TPR: of what people pass, the judge passes; TNR: of
    what they fail, it fails. Labels come from `jw-eval review`.

    \b
    Example:
      jw-eval judge agreement
    """
    from jw_eval_store.reports.agreement import agreement_report
    from jw_eval_store.runs.agreeing import judge_agreement

    emit(agreement_report(judge_agreement(located(db)), form, list_page()))

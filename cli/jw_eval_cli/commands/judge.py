"""`jw-eval judge`: the model that judges meaning, and how far it can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import FiniteRange, configured, db_option, format_option, located
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

    The same of the cross-encoder: which weights, how fast, and calibrated for what.

    \b
    Examples:
      jw-eval judge check
      JW_EVAL_LLM=openai JW_EVAL_LLM_URL=http://127.0.0.1:8080/v1 \\
          jw-eval judge check
    """
    from jw_eval_store.runs.inference_check import check_inference
    from jw_eval_store.runs.judge_tools import check_judge

    config = configured()
    found, inference = check_judge(config), check_inference(config)
    emit("".join(f"{line}\n" for line in (*found.lines, *inference.lines)))
    can = found.ok and inference.state != "broken"
    emit(f"{'it can judge' if can else 'it can NOT judge'}\n")
    raise click.exceptions.Exit(0 if can else 3)


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
@click.argument("pairs", type=_FILE, required=False)
@click.option("--pairs", "named", type=_FILE, hidden=True)
@click.option("--only", type=click.Choice(["embedder", "nli"]), help="Calibrate only this one.")
@click.option(
    "--false-passes",
    type=FiniteRange(0, 1, min_open=True, max_open=True),
    default=0.01,
    show_default=True,
    help="Share of wrong answers that may pass without a judge, in every set and language.",
)
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw it here, too.")
@db_option
def calibrate(
    pairs: Path | None,
    named: Path | None,
    only: Any,
    false_passes: float,
    svg: Path | None,
    db: str | None,
) -> None:
    """Find thresholds on the labelled pairs of a .jsonl, .csv or .tsv, and bring them into force.

    Those of the embedder and, where `nli` is set, of the cross-encoder. A pair has `reference` (the
    golden answer), `text`, `label` (pass or fail, entailed or contradicted, ...) and `language`.
    Its `kind` (else its `set`) is the kind of text that the cross-encoder's thresholds hold for.

    \b
    Examples:
      jw-eval judge calibrate pairs.csv --false-passes 0.01 --svg curve.svg
      jw-eval labels export labels.jsonl
      jw-eval judge calibrate labels.jsonl --only nli
    """
    from jw_eval_store.judges.curves import svg_plot
    from jw_eval_store.reports.profiles import calibrated_text
    from jw_eval_store.runs.calibrating import calibrate_from

    file = pairs or named
    if file is None:
        raise click.UsageError("name the file of labelled pairs")
    found = calibrate_from(configured(db), file, false_passes, only)
    emit(calibrated_text(found))
    if svg and found.embedder and emit_report(svg_plot(found.embedder), svg):
        say(f"drawn in {svg}")


@judge.command()
@format_option("table", "json", "csv")
@db_option
def profiles(form: str, db: str | None) -> None:
    """List calibrated and shipped thresholds, of embedders and cross-encoders, and which hold.

    \b
    Example:
      jw-eval judge profiles
    """
    from jw_eval_store.reports.profiles import profiles_report
    from jw_eval_store.runs.calibrating import known_inference, known_profiles

    config = located(db)
    known = known_profiles(config), known_inference(config)
    emit(profiles_report(*known, form, list_page()))


@judge.command()
@click.argument("profile")
@click.option("--yes", is_flag=True, help="Do it; without, only say what would change.")
@db_option
def forget(profile: str, yes: bool, db: str | None) -> None:
    """Remove the stored calibration PROFILE: its id, or the beginning, as `judge profiles` has it.

    What was calibrated before holds again, or what was shipped. Says which thresholds change, and
    how many stored verdicts were made under it; they stay. Without --yes this is a dry run.

    \b
    Examples:
      jw-eval judge forget 4b7d0a91c3e2
      jw-eval judge forget 4b7d0a91c3e2 --yes
    """
    from jw_eval_store.reports.profiles import forgotten_text
    from jw_eval_store.runs.forgetting import forget_profile

    found = forget_profile(located(db), profile, dry_run=not yes)
    emit(forgotten_text(found, dry_run=not yes))


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

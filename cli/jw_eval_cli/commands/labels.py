"""`jw-eval labels`: what people said of answers, for calibration and training."""

from __future__ import annotations

from pathlib import Path

import click

from jw_eval_cli.lazy import LazyGroup
from jw_eval_cli.options import configured, db_option
from jw_eval_cli.output import say
from jw_eval_store.text.plurals import plural


@click.group(cls=LazyGroup)
def labels() -> None:
    """What people said of answers in `jw-eval review`.

    \b
    Example:
      jw-eval labels export labels.jsonl
    """


@labels.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@db_option
def export(file: Path, db: str | None) -> None:
    """Write reviewed answers to FILE as labelled pairs, a JSON object a line.

    A pass is `entailed`, a fail is `fail`, or `contradicted` where the reviewer said so: by a
    reason that starts with it, or yes at the node `contradiction`. An answer stands there once, and
    not at all where reviewers don't agree. `kind` is `nli_kind` of [judge]. An earlier export is
    replaced, any other file is refused.

    \b
    Example:
      jw-eval labels export labels.jsonl
      jw-eval judge calibrate labels.jsonl
    """
    from jw_eval_store.reports.write import write_or_refuse
    from jw_eval_store.runs.labelled_pairs import labelled_pairs, refuse_other_pairs

    found = labelled_pairs(configured(db))
    refuse_other_pairs(file)
    write_or_refuse(file, found.as_jsonl())
    left = f"; {plural(found.disputed, 'answer')} left out, on which reviewers don't agree"
    say(f"{plural(len(found.pairs), 'labelled pair')} in {file}{left if found.disputed else ''}")

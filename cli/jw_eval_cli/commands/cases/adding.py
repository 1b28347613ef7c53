"""`jw-eval cases add`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jw_eval_cli.authors import author_option, author_or_git, reason_option
from jw_eval_cli.drafts import assignments, case_source, kept_if_refused, wants_prompts
from jw_eval_cli.options import configured, db_option
from jw_eval_cli.output import emit, say


@click.command()
@click.option("--agent", help="The agent that is asked.")
@click.option("--layer", metavar="1|2|3", help="The layer that judges it.")
@click.option(
    "--id",
    "case_id",
    metavar="ID",
    help="Its id, such as l1_apologetics_soul_es; questions offer one.",
)
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="KEY=VALUE",
    help="What the agent is asked with; repeatable.",
)
@click.option(
    "--expect",
    "expected",
    multiple=True,
    metavar="KEY=VALUE",
    help="What its answer must show, VALUE in YAML; repeatable.",
)
@click.option("--topic", help="The topic that coverage counts, such as doctrine.trinity.")
@click.option("--tag", multiple=True, help="A tag; repeatable.")
@click.option("--set", "others", multiple=True, metavar="KEY=VALUE", help="Any other key, dotted.")
@click.option(
    "-f", "--file", type=click.Path(dir_okay=False, path_type=Path), help="YAML; - is stdin."
)
@click.option("-e", "--editor", is_flag=True, help="Write it in the editor.")
@author_option
@reason_option
@db_option
def add(
    file: Path | None,
    editor: bool,
    author: str | None,
    reason: str | None,
    db: str | None,
    **values: Any,
) -> None:
    """Add a golden case: by answering questions, by options, from a file, stdin or the editor.

    Where a folder of cases is configured, its YAML file is written, too.

    \b
    Examples:
      jw-eval cases add
      jw-eval cases add --agent apologetics --layer 1 --id l1_soul_es \\
          --input "question=¿Muere el alma?" --input language=es \\
          --expect min_findings=2 --expect must_have_citation=true
      jw-eval cases add --agent verse_explainer --layer 2 --id l2_romans_es \\
          --input "reference=Romanos 6:23" --input language=es \\
          --expect "support_phrases=la paga del pecado es muerte" \\
          --expect expected_citations=https://wol.jw.org/es/wol/b/r4/lp-s/nwt/45/6
      jw-eval cases add --agent apologetics --layer 3 --id l3_soul_es \\
          --input "question=¿Muere el alma?" --input language=es \\
          --expect "golden_answer=El alma que peca morirá." \\
          --expect 'counter_answers=["El alma es inmortal."]'
      jw-eval cases add --file l1_soul_es.yaml --layer 1
    """
    from jw_eval_cli.prompting import ask_for_case
    from jw_eval_store.reports.cases import saved_text
    from jw_eval_store.reports.embeddings import near_warnings
    from jw_eval_store.runs.registry.changing import add_case

    config = configured(db)
    given = assignments(**values)
    asked = wants_prompts(given, file, editor)
    if asked:
        given = ask_for_case(given, config)
    made = case_source(given, file, editor)
    who = author_or_git(author, config)
    with kept_if_refused(made.source, editor or asked):
        saved = add_case(
            config, made.source, name=made.name, layer=made.layer, author=who, reason=reason
        )
    emit(saved_text([saved]))
    for warning in near_warnings(config, saved.case_id):
        say(warning)

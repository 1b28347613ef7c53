"""Walk through verdicts on a terminal: show one, ask what it should be, go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jw_eval_cli.output import emit, stdout_page
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from jw_eval_store.config.database import HasDatabase
    from jw_eval_store.runs.reviewing import ReviewItem

_ANSWERS = {"p": "pass", "f": "fail", "s": "skip", "e": "explain", "q": "quit"}
_QUESTION = "pass, fail, skip, explain, quit (p/f/s/e/q)"


def walk_through(config: HasDatabase, run: str | None, case: str | None, author: str) -> None:
    """Ask about each verdict in turn (or only that on `case`), until the last one or `quit`."""
    from jw_eval_store.reports.review import item_text
    from jw_eval_store.runs.reviewing import to_review

    items = to_review(config, run, case)
    labelled = 0
    for number, item in enumerate(items, 1):
        emit(item_text(item, number, len(items), stdout_page()))
        verdict = _verdict(config, item)
        if verdict == "quit":
            break
        if verdict != "skip":
            _label(config, item, verdict, author)
            labelled += 1
    emit(f"{labelled} of {plural(len(items), 'verdict')} labelled by {author}\n")


def _verdict(config: HasDatabase, item: ReviewItem) -> str:
    """What the person says; `explain` shows the judge's walk and asks again."""
    while True:
        typed = click.prompt(_QUESTION, default="s", show_default=False, err=True)
        answer = _ANSWERS.get(str(typed).strip().casefold()[:1])
        if answer == "explain":
            from jw_eval_store.reports.explanation import explanation_text
            from jw_eval_store.runs.explaining import explain

            emit(explanation_text(explain(config, item.case_id, item.run), stdout_page()))
        elif answer is not None:
            return answer


def _label(config: HasDatabase, item: ReviewItem, verdict: str, author: str) -> None:
    from jw_eval_store.runs.reviewing import add_label
    from jw_eval_store.store.labels import HumanLabel

    reason = click.prompt("why (may be empty)", default="", show_default=False, err=True)
    add_label(config, item.case_id, HumanLabel(verdict, author, reason.strip() or None), item.run)

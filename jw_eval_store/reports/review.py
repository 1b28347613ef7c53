"""One verdict as a reviewer sees it: question, golden answer, answer, and what the judge said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.render import rendered
from jw_eval_store.reports.wording import clean, one_line
from jw_eval_store.runs.reviewing import Labelled, ReviewItem

if TYPE_CHECKING:
    from rich.console import RenderableType


def item_text(item: ReviewItem, number: int, total: int, page: Page | None = None) -> str:
    """What is needed to say pass or fail; the judge's verdict last, so that it sways less."""
    return rendered([*_parts(item, number, total)], page or Page())


def _parts(item: ReviewItem, number: int, total: int) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    seen = f"  (labelled by {item.labels})" if item.labels else ""
    yield Text(f"\n{number} of {total}  {item.case_id}{seen}", "bold")
    texts = {
        "asked": json.dumps(item.input, ensure_ascii=False),
        "golden answer": item.golden_answer,
        "answer": item.answer,
    }
    for name, text in texts.items():
        yield Text(f"{name}:", "bold")
        yield Padding(Text(clean(text).strip()), (0, 0, 0, 2))
    score = "" if item.score is None else f" ({item.score:.3f})"
    yield Text(f"judged: {item.verdict}{score}", "bold")
    yield from (Padding(Text(one_line(reason)), (0, 0, 0, 2)) for reason in item.reasons)


def labelled_text(labelled: Labelled) -> str:
    """What was stored, and whether it contradicts the judge."""
    label = labelled.label
    about = f"node {label.node} of {labelled.case_id}" if label.node else labelled.case_id
    agrees = "as judged" if labelled.agrees else f"judged: {labelled.judged}"
    return f"{about}: {label.verdict} says {label.author} ({agrees})\n"

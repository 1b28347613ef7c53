"""The check-up of a set-up for people: a line a part, and what to do below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.render import rendered
from jw_eval_store.reports.wording import one_line
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from rich.console import RenderableType

_STYLES = {"ok": "green", "note": "bold yellow", "broken": "bold red"}


def checkup_text(rows: Iterable[tuple[str, str, str, str]], page: Page | None = None) -> str:
    """Rows of (part, state, what was found, next step)."""
    return rendered([*_lines(list(rows))], page or Page())


def _lines(rows: list[tuple[str, str, str, str]]) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    for part, state, text, hint in rows:
        head = Text.assemble((f"{state:<7} ", _STYLES[state]), f"{part}: ", one_line(text))
        yield head
        if hint:
            yield Padding(Text(f"next: {one_line(hint)}", "dim"), (0, 0, 0, 8))
    count = sum(state == "broken" for _, state, _, _ in rows)
    verdict = f"{plural(count, 'part')} broken" if count else "nothing is broken"
    yield Text(verdict, "bold red" if count else "bold green")

"""The views that people ask, with what their headers say."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from jw_eval_store.store.views import View, view_docs


def views_text(name: str | None = None) -> str:
    """Every view with purpose, grain and columns; or the one of that name, if there is one."""
    wanted = [view for view in view_docs() if name in (None, view.name)]
    return "\n".join("".join(f"{line}\n" for line in _lines(view)) for view in wanted)


def _lines(view: View) -> Iterator[str]:
    yield view.name
    yield f"  {view.purpose}"
    yield f"  {view.grain}"
    width = max(map(len, view.columns)) + 2
    for column, meaning in view.columns.items():
        first, *rest = wrap(meaning, 90 - width)
        yield f"    {column:<{width}}{first}"
        yield from (f"    {'':<{width}}{line}" for line in rest)

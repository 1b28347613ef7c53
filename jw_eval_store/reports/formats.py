"""The report formats by name; each is imported only when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.reports.interface import Page, Reporter
from jw_eval_store.text.nearest import nearest

FORMATS = {
    "text": "TextReporter",
    "json": "JsonReporter",
    "md": "MarkdownReporter",
    "junit": "JunitReporter",
    "github": "GithubReporter",
}
"""Format -> class, in the module of `reports` that is named like the format."""

ALIASES = {"markdown": "md", "xml": "junit", "txt": "text", "table": "text"}
_MODULES = {"md": "markdown"}


def format_named(name: str) -> str:
    """The format that a name or alias stands for. Raises UsageError with the nearest one."""
    lowered = name.strip().lower()
    known = ALIASES.get(lowered, lowered)
    if known in FORMATS:
        return known
    near = nearest(lowered, [*FORMATS, *ALIASES])
    hint = f"did you mean {near}?" if near else f"formats: {', '.join(FORMATS)}"
    raise UsageError(f"unknown report format {name!r}", hint=hint)


def reporter(name: str, page: Page | None = None, *, explain: bool = False) -> Reporter:
    """The reporter of a format; `page`, and to list why each case was run, matter to text only."""
    known = format_named(name)
    module = import_module(f"jw_eval_store.reports.{_MODULES.get(known, known)}")
    made = getattr(module, FORMATS[known])
    return cast(Reporter, made(page, explain=explain) if known == "text" else made())

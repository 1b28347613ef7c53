"""Values as YAML text that people like to read and that no YAML 1.1 reader misreads.

Texts with blanks are quoted, as in the specification; so is whatever YAML 1.1 or this reader would
type (`"3:16"`, `"no"`). Texts of several lines are literal blocks, long ones folded blocks.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from jw_eval_store.golden.plain import NULLS, typed_plain

WIDTH = 96
"""Columns after which a long text is folded."""

_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


class _Dumper(yaml.SafeDumper):
    """PyYAML's dumper with this project's choice of styles, lists indented under their key."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists too."""
        super().increase_indent(flow, False)

    def write_double_quoted(self, text: str, split: bool = True) -> None:
        """Keep a quoted text in one line: a backslash at a line's end reads badly."""
        super().write_double_quoted(text, split=False)

    def ignore_aliases(self, data: Any) -> bool:
        """Write the same value out twice: the reader knows no anchors."""
        return True


def _styled(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=_style(text))


_Dumper.add_representer(str, _styled)


def _style(text: str) -> str | None:
    bare = text.strip()
    if _UNSEEN.search(text) or text not in (bare, bare + "\n"):
        return '"'
    if "\n" in text:
        return "|"
    if len(text) > WIDTH and " " in text and "  " not in text:
        return ">"
    return '"' if " " in text or _would_be_typed(text) else None


def _would_be_typed(text: str) -> bool:
    if text in NULLS:
        return True
    try:
        return not isinstance(typed_plain(text), str)
    except ValueError:
        return True


def render(values: Any, *, flow: bool = False) -> str:
    """YAML text of a JSON value, ending in a line end; `flow`: in one line, `{a: b, c: [d]}`."""
    text: str = yaml.dump(
        values,
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=flow,
        width=2**31 if flow else WIDTH,
    )
    return text.removesuffix("...\n")

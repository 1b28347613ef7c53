"""From nodes to plain values: everything is text, but for numbers and the like in free parts.

A case's `input` and `metadata` have no schema to type them, and agents are called with
`chapter: 1`; there plain scalars that JSON would read as a number, true, false or null are typed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from jw_eval_store.golden.nodes import Mapping, Node, Scalar, Sequence
from jw_eval_store.golden.problems import Refused, shown

Path = tuple[str | int, ...]

FREE_KEYS = frozenset({"input", "metadata"})
"""Parts of a case without a schema: what stands there is typed as JSON would type it."""

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_WORDS: dict[str, bool | None] = dict.fromkeys(NULLS)
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True)
_WORDS |= dict.fromkeys(("false", "False", "FALSE"), False)
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)\Z")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")
_INT64 = 2**63


@dataclass(frozen=True, slots=True)
class Document:
    """A file's values, and the line of each by path."""

    values: dict[str, Any]
    lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """Line of what stands at the path, or of the nearest thing around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_values(root: Mapping, free: Collection[str]) -> Document:
    """The values under `root`; keys in `free` hold typed scalars. Raises Refused."""
    lines: dict[Path, int] = {(): root.line}
    values: dict[str, Any] = {}
    for key, node in root.items:
        path = (key.text,)
        lines[path] = key.line
        values[key.text] = _value(node, path, lines, key.text in free)
    return Document(values, lines)


def _value(node: Node, path: Path, lines: dict[Path, int], typed: bool) -> Any:
    if isinstance(node, Scalar):
        return _typed(node) if typed else _text(node, path)
    if isinstance(node, Sequence):
        values = []
        for position, item in enumerate(node.items):
            below = (*path, position)
            lines[below] = item.line
            values.append(_value(item, below, lines, typed))
        return values
    mapping = {}
    for key, item in node.items:
        below = (*path, key.text)
        lines[below] = key.line
        mapping[key.text] = _value(item, below, lines, typed)
    return mapping


def _text(node: Scalar, path: Path) -> str:
    if not node.style and node.text in NULLS:
        hint = "leave the key out, or quote the word if it is meant"
        raise Refused(f"`{dotted(path)}` has no value", node.line, hint)
    return node.text


def _typed(node: Scalar) -> str | int | float | bool | None:
    if node.style:
        return node.text
    try:
        return typed_plain(node.text)
    except ValueError as error:
        raise Refused(str(error), node.line, "quote it, if it is a text") from None


def typed_plain(text: str) -> str | int | float | bool | None:
    """What an unquoted scalar of a free part stands for. Raises ValueError for huge numbers."""
    if text in _WORDS:
        return _WORDS[text]
    if not _NUMBER.match(text):
        return text
    if _INTEGER.match(text):
        number = int(text) if len(text) <= 20 else _INT64
        if not -_INT64 <= number < _INT64:
            raise ValueError(f"{shown(text, 30)} is beyond the whole numbers of 64 bits")
        return number
    real = float(text)
    if not math.isfinite(real):
        raise ValueError(f"{shown(text, 30)} is beyond the numbers that can be stored")
    return real


def dotted(path: Path) -> str:
    """A path as people write it: `expected.expected_citations.0.url`."""
    return ".".join(str(part) for part in path)

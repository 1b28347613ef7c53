"""The spans of a YAML text that must change so that it reads as other values."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.golden.nodes import Mapping, Node, Scalar, Sequence
from jw_eval_store.golden.plain import FREE_KEYS
from jw_eval_store.golden.rendering import render

_BLOCK_COMMENT = re.compile(r"[|>][-+0-9]*([ \t]+#[^\n]*)?")


def fingerprint(value: Any, free: bool) -> str:
    """Equal for values that a file would spell alike: outside of free parts all is text."""
    return canonical_json(value if free else _as_text(value))


def _as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_text(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_text(item) for item in value]
    return value if isinstance(value, str) else canonical_json(value)


class Patches:
    """Collects replacements of spans; `free` says whether a part's scalars are typed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._patches: list[tuple[int, int, str]] = []

    def applied(self) -> str:
        """The text with all replacements made."""
        text = self._text
        for start, end, replacement in sorted(self._patches, reverse=True):
            text = text[:start] + replacement.replace("\n", self._newline) + text[end:]
        return text

    def mapping(
        self, node: Mapping, old: dict[str, Any], new: dict[str, Any], free: bool | None
    ) -> None:
        """Change a block mapping, key by key. `free` none: the root, whose keys decide."""
        for key, child in node.items:
            inside = key.text in FREE_KEYS if free is None else free
            if key.text not in new:
                self._remove(key.start, child.end)
            else:
                self._entry(key, child, (old[key.text], new[key.text]), inside)
        added = {key: value for key, value in new.items() if key not in old}
        if added:
            self._insert(self._line_end(node.end), render(added), node.column)

    def _entry(self, key: Scalar, child: Node, values: tuple[Any, Any], free: bool) -> None:
        old, new = values
        if fingerprint(old, free) == fingerprint(new, free):
            return
        flow = not isinstance(child, Scalar) and child.flow
        if isinstance(child, Mapping) and isinstance(new, dict) and new and not flow:
            self.mapping(child, old, new, free)
        elif isinstance(child, Sequence) and isinstance(new, list) and new and not flow:
            self._sequence(child, old, new, free)
        elif flow and isinstance(new, list | dict):
            self._patches.append((child.start, child.end, render(new, flow=True).strip()))
        else:
            self._replace(key, child, new)

    def _sequence(self, node: Sequence, old: list[Any], new: list[Any], free: bool) -> None:
        before, after = ([fingerprint(item, free) for item in items] for items in (old, new))
        matcher = SequenceMatcher(a=before, b=after, autojunk=False)
        for kind, first, last, start, end in matcher.get_opcodes():
            if kind == "equal":
                continue
            for item in node.items[first:last]:
                self._remove(item.start, item.end)
            if start < end:
                at = self._line_start(node.items[last].start) if last < len(old) else None
                place = self._line_end(node.end) if at is None else at
                self._insert(place, render(new[start:end]), node.column)

    def _replace(self, key: Scalar, child: Node, new: Any) -> None:
        """Put another value after the key's colon, with the comment that stood on its line."""
        colon = self._text.index(":", key.end) + 1
        first, _, below = render({"k": new})[2:].rstrip("\n").partition("\n")
        comment, end = self._comment(colon, child)
        indented = "".join(
            f"\n{' ' * key.column}{line}" if line else "\n" for line in below.split("\n")
        )
        self._patches.append((colon, end, first + comment + (indented if below else "")))

    def _comment(self, colon: int, child: Node) -> tuple[str, int]:
        """The comment to keep of a replaced value, and where the replaced span ends."""
        end = max(colon, child.end)
        header = self._text[colon : self._line_end(colon)].rstrip("\r\n")
        if isinstance(child, Scalar) and child.style in ("|", ">"):
            match = _BLOCK_COMMENT.match(self._text, child.start)
            return (match and match[1]) or "", end
        if child.start >= self._line_end(colon):
            return header if header.lstrip().startswith("#") else "", end
        rest = self._text[end : self._line_end(end)].rstrip("\r\n")
        return rest, end + len(rest)

    def _remove(self, start: int, end: int) -> None:
        self._patches.append((self._line_start(start), self._line_end(end), ""))

    def _insert(self, at: int, rendered: str, column: int) -> None:
        """Whole lines at the start of a line, or after a last line without an end."""
        lines = rendered.rstrip("\n").split("\n")
        block = "".join(f"{' ' * column}{line}\n" if line else "\n" for line in lines)
        if at and self._text[at - 1] != "\n":
            block = "\n" + block
        self._patches.append((at, at, block))

    def _line_start(self, at: int) -> int:
        return self._text.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        found = self._text.find("\n", at)
        return found + 1 if found >= 0 else len(self._text)

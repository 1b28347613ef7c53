"""YAML for the manifest: all scalars are text, every value knows its line, no key comes twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml


class EntryError(Exception):
    """A fault of the file, with its line (from 1) and the next step. Callers turn it into a row."""

    def __init__(self, message: str, line: int | None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.hint = hint


@dataclass(frozen=True)
class Located:
    """A value and its line: a text, a list, or a mapping of located values."""

    value: Any
    line: int

    def mapping(self, name: str) -> dict[str, Located]:
        """The value as a mapping. Raises EntryError if it is none."""
        if isinstance(self.value, dict):
            return self.value
        raise EntryError(f"{name} is not a mapping of keys to values", self.line)

    def sequence(self, name: str) -> list[Located]:
        """The value as a list; an empty text is an empty list. Raises EntryError if it is none."""
        if isinstance(self.value, list):
            return self.value
        if self.value == "":
            return []
        raise EntryError(f"{name} is not a list", self.line, "start each entry with `- `")

    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        return self.value

    def line_of(self, key: str) -> int:
        """The line of a key's value, else the value's own."""
        found = self.value.get(key) if isinstance(self.value, dict) else None
        return found.line if isinstance(found, Located) else self.line

    def name(self, key: str) -> str:
        """What to call the value in messages: one of its texts, else its line."""
        found = self.value.get(key) if isinstance(self.value, dict) else None
        return found.value if isinstance(found, Located) and isinstance(found.value, str) else "?"


def load_strict(source: bytes) -> Located:
    """Parse one YAML document.

    Raises EntryError for syntax, encoding, a key given twice, and aliases (`*name`).
    """
    try:
        node = yaml.compose(source.decode("utf-8-sig"), Loader=yaml.CSafeLoader)
    except UnicodeDecodeError:
        raise EntryError("is not UTF-8", None, "save the file as UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise EntryError(f"is not YAML: {error.problem}", mark.line + 1 if mark else None) from None
    except yaml.YAMLError as error:
        raise EntryError(f"is not YAML: {error}", None) from None
    if node is None:
        raise EntryError("is empty", 1, "write `version: 1` and `snapshots: []`")
    return _located(node, set())


def _located(node: yaml.Node, seen: set[int]) -> Located:
    line = node.start_mark.line + 1
    if id(node) in seen:
        raise EntryError("an alias (*name) repeats a value", line, "write the value out")
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        return Located(_mapping(node, seen), line)
    if isinstance(node, yaml.SequenceNode):
        return Located([_located(item, seen) for item in node.value], line)
    return Located(node.value, line)


def _mapping(node: yaml.MappingNode, seen: set[int]) -> dict[str, Located]:
    found: dict[str, Located] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise EntryError("a key is not a text", line)
        if key.value in found:
            raise EntryError(f"key {key.value!r} is given twice", line, "delete one of them")
        found[key.value] = _located(value, seen)
    return found

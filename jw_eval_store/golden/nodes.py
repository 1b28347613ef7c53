"""A YAML file as a tree of nodes that know their place, read from the parser's events.

Events instead of PyYAML's composer: no implicit typing (`3:16` stays text), no recursion in C on
hostile nesting, and every node knows its line and where it starts and ends in the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Never

import yaml
from yaml import events

from jw_eval_store.golden.problems import Refused, shown
from jw_eval_store.golden.syntax import refused_syntax

MAX_DEPTH = 40
"""Levels of nesting; cases have four."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_DASH_BELOW = re.compile(r"\n[ \t]*-[ \t]")
_COMMENT_GLUED = re.compile(r"[ \t]+#[^\s#]")


@dataclass(slots=True)
class Scalar:
    """A text. `style` is empty for plain ones, else its quote or block indicator.

    `line` counts from 1; `start` and `end` are character offsets, `column` counts from 0.
    """

    text: str
    style: str
    line: int
    column: int
    start: int
    end: int


@dataclass(slots=True)
class Sequence:
    """A list; `flow` for `[a, b]`."""

    items: list[Node]
    flow: bool
    line: int
    column: int
    start: int
    end: int


@dataclass(slots=True)
class Mapping:
    """Keys with their values in the order written; `flow` for `{a: b}`."""

    items: list[tuple[Scalar, Node]]
    flow: bool
    line: int
    column: int
    start: int
    end: int


Node = Scalar | Sequence | Mapping


class _PureParser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """PyYAML's own parser, for installations without libyaml."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)


def _fastest_parser() -> Callable[[str], Any]:
    if yaml.__with_libyaml__:
        from yaml._yaml import CParser

        return CParser
    return _PureParser


PARSERS: tuple[Callable[[str], Any], ...] = (_fastest_parser(), _PureParser)
"""The parser in use, and the one that stands in for it."""


def parse(text: str, parser: Callable[[str], Any] = PARSERS[0]) -> Mapping:
    """The file's one mapping. Raises Refused with line and cause for all else."""
    try:
        return _Builder(text, parser(text)).document()
    except yaml.YAMLError as error:
        raise refused_syntax(error) from None


def _end(closing: Any, children: list[Any], start: int) -> int:
    """Where a collection ends; a block one with its last child, not with the comments below."""
    if closing.end_mark.index > closing.start_mark.index:
        return int(closing.end_mark.index)
    if not children:
        return start
    last = children[-1]
    return int((last[1] if isinstance(last, tuple) else last).end)


class _Builder:
    """Turns events into nodes, and refuses what a case must not contain."""

    def __init__(self, text: str, parser: Any) -> None:
        self._text = text
        self._next: Callable[[], Any] = parser.get_event
        self._has_escapes = "\\" in text

    def document(self) -> Mapping:
        self._next()  # stream start
        if isinstance(self._next(), events.StreamEndEvent):
            raise Refused("is empty")
        root = self._node(self._next(), 0)
        self._next()  # document end
        following = self._next()
        if not isinstance(following, events.StreamEndEvent):
            line = following.start_mark.line + 1
            raise Refused("holds several documents", line, "make a file of each")
        if isinstance(root, Scalar) and not (root.text or root.style):
            raise Refused("is empty")
        if not isinstance(root, Mapping):
            raise Refused("holds no keys", root.line, "start with a key, such as `id: ...`")
        return root

    def _node(self, event: Any, depth: int) -> Node:
        if isinstance(event, events.AliasEvent) or event.anchor is not None:
            self._refuse(event, "anchors (&) and aliases (*) are not supported", "write it out")
        if event.tag is not None:
            self._refuse(event, f"tag {shown(event.tag)} is not supported", "quote the text")
        if isinstance(event, events.ScalarEvent):
            return self._scalar(event)
        if depth >= MAX_DEPTH:
            self._refuse(event, f"is nested more than {MAX_DEPTH} levels deep", None)
        if isinstance(event, events.SequenceStartEvent):
            return self._sequence(event, depth)
        return self._mapping(event, depth)

    def _scalar(self, event: Any) -> Scalar:
        start, end = event.start_mark, event.end_mark
        text = event.value
        if self._has_escapes and _UNSTORABLE.search(text):
            self._refuse(event, f"{shown(text)} holds a character that is none", "remove it")
        style = event.style or ""
        if not style and _DASH_BELOW.search(self._text, start.index, end.index):
            hint = "put a blank after each -, or quote the text"
            self._refuse(event, "a `- ` below continues this text instead of a list", hint)
        last = end.index if style not in ("|", ">") else self._content_end(end.index)
        return Scalar(text, style, start.line + 1, start.column, start.index, last)

    def _content_end(self, end: int) -> int:
        """Where a block text's last line ends: the parser also counts blank lines below."""
        return len(self._text[:end].rstrip())

    def _sequence(self, event: Any, depth: int) -> Sequence:
        mark, following = event.start_mark, self._next()
        items: list[Node] = []
        while type(following) is not events.SequenceEndEvent:
            items.append(self._value(following, depth))
            following = self._next()
        end = _end(following, items, mark.index)
        return Sequence(items, bool(event.flow_style), mark.line + 1, mark.column, mark.index, end)

    def _mapping(self, event: Any, depth: int) -> Mapping:
        mark, following = event.start_mark, self._next()
        items: list[tuple[Scalar, Node]] = []
        seen: dict[str, int] = {}
        while type(following) is not events.MappingEndEvent:
            key = self._key(following, depth, seen)
            value = self._value(self._next(), depth)
            if event.flow_style and isinstance(value, Scalar) and not (value.text or value.style):
                hint = "a comma inside { } ends a value: quote texts that hold one"
                raise Refused(f"{shown(key.text)} has no value", key.line, hint)
            items.append((key, value))
            following = self._next()
        end = _end(following, items, mark.index)
        return Mapping(items, bool(event.flow_style), mark.line + 1, mark.column, mark.index, end)

    def _value(self, event: Any, depth: int) -> Node:
        node = self._node(event, depth + 1)
        if isinstance(node, Scalar) and not node.style:
            glued = _COMMENT_GLUED.match(self._text, node.end)
            if glued:
                hint = "quote the text if # belongs to it; else put a blank after #"
                raise Refused(f"text ends at the # after {shown(node.text)}", node.line, hint)
        return node

    def _key(self, event: Any, depth: int, seen: dict[str, int]) -> Scalar:
        key = self._node(event, depth + 1)
        if not isinstance(key, Scalar) or not key.text:
            self._refuse(event, "a key must be a text", "quote texts that start with [ { ? or :")
        if key.text == "<<" and not key.style:
            self._refuse(event, "merge keys (<<) are not supported", "write the keys out")
        if key.text in seen:
            message = f"key {shown(key.text)} stands twice, first in line {seen[key.text]}"
            raise Refused(message, key.line, "keep one of them")
        seen[key.text] = key.line
        return key

    def _refuse(self, event: Any, message: str, hint: str | None) -> Never:
        raise Refused(message, event.start_mark.line + 1, hint)

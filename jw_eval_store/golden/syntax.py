"""Bytes to text, and PyYAML's errors in words that name line, cause and next step."""

from __future__ import annotations

import re

import yaml

from jw_eval_store.golden.problems import Refused

_HIDDEN = re.compile("\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
"""Characters that nobody sees, and that YAML refuses or takes for line ends."""

_HINTS = (
    ("tab", "indent with blanks, not with tabs"),
    (
        "mapping values are not allowed",
        "quote texts that hold ': '; check this line and the one above",
    ),
    (
        "cannot start any token",
        "indent with blanks, not tabs; quote texts that start with @ ` or %",
    ),
    ("escape", r"inside double quotes write \\ for a backslash, or use single quotes"),
    ("end of stream", "a quote is opened and never closed"),
    ("could not find expected ':'", "write `key: value` with a blank after the colon"),
    ("expected <document start>", "keep all keys at the same indentation"),
    ("did not find expected key", "check quotes and indentation of this line and the one above"),
    ("block end", "check quotes and indentation of this line and the one above"),
    ("did not find expected '-'", "put all `- ` of a list in one column"),
    ("expected ','", "close { or [, and quote texts that hold one of {}[],"),
    ("node content", "quote texts that start with one of ,[]{}#&*!|>%@`"),
    ("alphabetic or numeric", "quote texts that start with & or *"),
)


def decode(source: bytes) -> str:
    """The file's text, without a BOM. Raises Refused for what is not UTF-8.

    Also refused: control characters, and the rare ones that YAML takes for line ends.
    """
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        byte = f"byte 0x{source[error.start]:02x}"
        raise Refused(f"is not UTF-8 ({byte})", line, "save the file as UTF-8") from None
    hidden = _HIDDEN.search(text)
    if hidden:
        line = text.count("\n", 0, hidden.start()) + 1
        name = f"U+{ord(hidden[0]):04X}"
        raise Refused(
            f"holds {name}, which nobody sees", line, "remove it, or write it as an escape"
        )
    return text


def refused_syntax(error: yaml.YAMLError) -> Refused:
    """A parser's error as a refusal."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return Refused(f"is not YAML: {error}")
    problem, context = error.problem or "cannot be read", error.context or ""
    mark = error.problem_mark or error.context_mark
    if error.context_mark is not None and ("end of stream" in problem or " flow " in context):
        mark = error.context_mark
    hint = next((hint for words, hint in _HINTS if words in problem), None)
    message = f"is not YAML: {problem} ({context})" if context else f"is not YAML: {problem}"
    return Refused(message, mark.line + 1 if mark else None, hint)

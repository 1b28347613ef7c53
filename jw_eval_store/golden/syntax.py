"""Bytes to text, and PyYAML's errors in words that name line, cause and next step."""

from __future__ import annotations

import re

import yaml

from jw_eval_store.golden.problems import Refused

_BREAKS = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
_BREAK_NAMES = {
    "\r": "a carriage return without line feed",
    "\x85": "U+0085 (next line)",
    "\u2028": "U+2028 (line separator)",
    "\u2029": "U+2029 (paragraph separator)",
}

_HINTS = (
    ("tab", "indent with blanks, not with tabs"),
    ("mapping values are not allowed", "quote texts that hold ': ', and check the indentation"),
    ("cannot start any token", "quote texts that start with @ ` % or a tab"),
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

    Also refused: the rare characters that YAML takes for line ends and that nobody sees.
    """
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        byte = f"byte 0x{source[error.start]:02x}"
        raise Refused(f"is not UTF-8 ({byte})", line, "save the file as UTF-8") from None
    hidden = _BREAKS.search(text)
    if hidden:
        line = text.count("\n", 0, hidden.start()) + 1
        message = f"{_BREAK_NAMES[hidden[0]]} is a line end in YAML"
        raise Refused(message, line, "replace it, or save the file with plain line ends")
    return text


def refused_syntax(error: yaml.YAMLError, text: str) -> Refused:
    """A parser's or reader's error as a refusal."""
    if isinstance(error, yaml.MarkedYAMLError):
        return _marked(error)
    position = getattr(error, "position", 0)
    character = text[position : position + 1]
    line = text.count("\n", 0, position) + 1
    return Refused(
        f"holds the control character U+{ord(character or chr(0)):04X}", line, "remove it"
    )


def _marked(error: yaml.MarkedYAMLError) -> Refused:
    problem = error.problem or "cannot be read"
    mark = error.problem_mark or error.context_mark
    if error.context_mark is not None and "end of stream" in problem:
        mark = error.context_mark
    message = f"{problem} ({error.context})" if error.context else problem
    hint = next((hint for words, hint in _HINTS if words in problem), None)
    return Refused(f"is not YAML: {message}", mark.line + 1 if mark else None, hint)

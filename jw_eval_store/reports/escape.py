"""Keep text of agents and cases from being read as Markdown, HTML or a command."""

from __future__ import annotations

import re

from jw_eval_store.reports.wording import clean, one_line

_MARKDOWN = re.compile(r"[\\`*_{}\[\]()#+!|~-]")
_MENTION = re.compile(r"@(?=[A-Za-z0-9])")
_REFERENCE = re.compile(r"\\#(?=\d)")
_AUTOLINK = re.compile(r"\b(https?|www)(?=[:.])", re.IGNORECASE)
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def markdown(text: str, limit: int = 500) -> str:
    """Plain words for Markdown, one line: no markup, HTML, mention, link or table cell in them."""
    escaped = _MARKDOWN.sub(r"\\\g<0>", one_line(text, limit))
    for character, entity in _ENTITIES.items():
        escaped = escaped.replace(character, entity)
    escaped = _MENTION.sub("@<!-- -->", escaped)
    escaped = _REFERENCE.sub(r"\\#<!-- -->", escaped)
    return _AUTOLINK.sub(r"\1<!-- -->", escaped)


def code(text: str, limit: int = 200, *, cell: bool = False) -> str:
    """A code span that holds the text literally; in a table cell a pipe needs its backslash."""
    line = one_line(text, limit)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") or not line else ""
    return f"{fence}{pad}{line.replace('|', chr(92) + '|') if cell else line}{pad}{fence}"


def command_data(text: str) -> str:
    """Text after `::` of a GitHub workflow command."""
    kept = clean(text)
    return kept.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """A property of a GitHub workflow command, such as its file or title."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def xml_text(text: str) -> str:
    """Text that XML 1.0 can hold: what it can't is left out."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)

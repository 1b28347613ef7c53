"""Bytes to text: UTF-8 where they are UTF-8, whatever a header claims."""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


def text_of(body: bytes, content_type: str = "") -> str:
    """A page's text: by its byte order mark, else UTF-8, else as header or page declare it.

    The site names no charset and means UTF-8; others name a wrong one. What fits nothing becomes
    U+FFFD.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body.decode(name, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        declared = _declared(content_type) or _declared(body[:2048].decode("ascii", "replace"))
        return body.decode(declared or "utf-8", "replace")


def _declared(text: str) -> str | None:
    found = _DECLARED.search(text)
    try:
        return codecs.lookup(found[1]).name if found else None
    except LookupError:
        return None

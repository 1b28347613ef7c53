"""Showing a judge a text that nobody vouches for, so that it can neither end its frame nor command.

A frame is two fence lines around the text, each of whose lines begins with a bar: no line of the
text can be a fence. The fences carry a digest of the text, which the text cannot contain; nothing
is random, so equal texts make equal prompts. Signs that models' chat templates give a meaning
(`<|im_end|>`, `[INST]`, `<think>`) and invisible characters are taken out of the text.
"""

from __future__ import annotations

import re
import unicodedata

from jw_eval_store.domain.hashing import content_hash

FRAMING_VERSION = 1
"""Grows with every change of what a frame looks like; part of the prompts' identity."""

_BAR = "| "
_INVISIBLE = {"Cc", "Cf", "Co", "Cs"}
_TEMPLATE_SIGN = re.compile(r"\[(/?\s*[A-Z_]{3,}\s*)\]")
_LOOKALIKES = str.maketrans(
    {"<": "‹", ">": "›", "＜": "‹", "＞": "›", "﹤": "‹", "﹥": "›", "`": "'", "｜": "¦"}
)
_MAX_BLANKS = re.compile(r"[^\S\n]{3,}")
_MAX_LINES = re.compile(r"\n{3,}")


def framed(name: str, text: str) -> str:
    """A text between its fences; `name` (capitals) is how the prompt speaks of it."""
    body = "\n".join(_BAR + line for line in harmless(text).split("\n"))
    mark = f"{name} {content_hash(body).removeprefix('sha256:')[:16]}"
    return f"<<<{mark}\n{body}\n{mark}>>>"


def harmless(text: str) -> str:
    """A text without what could act on a model or hide from a reader; its words stay.

    Lines end with a line feed alone, and long stretches of blanks are shortened.
    """
    lines = "\n".join(unicodedata.normalize("NFC", text).splitlines())
    seen = "".join(c for c in lines.replace("\t", " ") if c == "\n" or not _is_invisible(c))
    plain = _TEMPLATE_SIGN.sub(r"(\1)", seen.translate(_LOOKALIKES))
    return _MAX_LINES.sub("\n\n", _MAX_BLANKS.sub("  ", plain)).strip()


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in _INVISIBLE or 0xFE00 <= ord(character) <= 0xFE0F

"""Content addresses: one canonical JSON form and one tagged digest for everything stored once."""

from __future__ import annotations

import hashlib
import json


def canonical_json(value: object) -> str:
    """The one JSON text of a value: sorted keys, no blanks, real characters, no NaN.

    Two equal values give equal text on every machine, so the text can be hashed and compared.
    Raises ValueError for NaN and infinities, TypeError for what is not JSON.
    """
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def content_hash(content: bytes | str) -> str:
    """`sha256:<64 hex digits>` of bytes, or of a text's UTF-8 form.

    Lone surrogates, which UTF-8 cannot hold, are kept apart instead of raising.
    """
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return "sha256:" + hashlib.sha256(raw).hexdigest()


def json_hash(value: object) -> str:
    """The content address of a JSON value, by its canonical form."""
    return content_hash(canonical_json(value))

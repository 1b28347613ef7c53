"""Replies of judges by (model digest, prompt, options): asked once, reused by later runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.store.connect import Connection, now


def get_reply(conn: Connection, key: str) -> Mapping[str, Any] | None:
    """The stored reply as JSON, if there is one."""
    row = conn.execute("SELECT body FROM judge_reply WHERE key_hash = ?", (key,)).fetchone()
    found: Mapping[str, Any] | None = json.loads(row[0]) if row else None
    return found


def put_reply(conn: Connection, key: str, body: Mapping[str, Any]) -> None:
    """Store a reply; the first one stays. Inside a transaction."""
    conn.execute(
        "INSERT INTO judge_reply (key_hash, body, created_at) VALUES (?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (key, canonical_json(dict(body)), now()),
    )

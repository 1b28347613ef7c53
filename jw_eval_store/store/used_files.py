"""Fingerprints of agents as stored, with the files that answers made under them depended on."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from jw_eval_store.store.connect import Connection

RECENT = 20
"""So many of an agent's fingerprints are looked at when one is sought that still holds."""


@dataclass(frozen=True)
class KnownFingerprint:
    """A stored fingerprint. `used` none: answers depended on all of its files."""

    key: int
    fingerprint_hash: str
    origin: str
    detail: Mapping[str, Any]
    used: frozenset[str] | None


def put_used(conn: Connection, fingerprint_hash: str, used: Collection[str]) -> None:
    """Add files that were used; inside the transaction that stores the verdicts."""
    conn.executemany(
        "INSERT OR IGNORE INTO agent_used_file (agent_fingerprint_id, path)"
        " SELECT id, ? FROM agent_fingerprint WHERE fingerprint_hash = ?",
        [(path, fingerprint_hash) for path in sorted(used)],
    )


def recent_fingerprints(conn: Connection, agent: str) -> list[KnownFingerprint]:
    """An agent's newest fingerprints, newest first."""
    rows = conn.execute(
        "SELECT id, fingerprint_hash, origin, detail FROM agent_fingerprint WHERE agent = ?"
        " ORDER BY id DESC LIMIT ?",
        (agent, RECENT),
    ).fetchall()
    return [
        KnownFingerprint(key, digest, origin, json.loads(detail), used_files(conn, key))
        for key, digest, origin, detail in rows
    ]


def used_files(conn: Connection, key: int) -> frozenset[str] | None:
    """What answers made under a fingerprint depended on; none: on all of its files."""
    rows = conn.execute(
        "SELECT path FROM agent_used_file WHERE agent_fingerprint_id = ?", (key,)
    ).fetchall()
    return frozenset(row[0] for row in rows) or None

"""Read stored snapshots back, and make one of them a page's current one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.store.connect import Connection


@dataclass(frozen=True)
class SnapshotRow:
    """One stored state of a page; `key` is local to the file. Hashes are of the whole page."""

    key: int
    evidence: Evidence
    url: str
    final_url: str | None
    status: int | None
    headers: Mapping[str, str]
    html: str
    bytes_hash: str | None
    text_hash: str | None
    structure_hash: str | None
    versions: Mapping[str, str]
    scope: str
    captured_at: str
    current: bool


_SELECT = """
    SELECT p.fetch_key, s.origin, e.passages, s.id, s.url, s.final_url, s.status, s.headers, s.html,
           s.bytes_hash, s.text_hash, s.structure_hash, s.versions, s.scope, s.captured_at,
           s.id = coalesce(p.current_snapshot_id, 0)
    FROM snapshot s JOIN page p ON p.id = s.page_id JOIN evidence e ON e.id = s.evidence_id
"""


def current_snapshot(conn: Connection, fetch_key: str) -> SnapshotRow | None:
    """The accepted snapshot of a page, if it has one."""
    return _one(conn, "WHERE p.fetch_key = ? AND s.id = p.current_snapshot_id", fetch_key)


def newest_snapshot(conn: Connection, fetch_key: str) -> SnapshotRow | None:
    """The snapshot of a page that was stored last, accepted or not."""
    return _one(conn, "WHERE p.fetch_key = ? ORDER BY s.id DESC LIMIT 1", fetch_key)


def waiting_pages(conn: Connection) -> list[str]:
    """Fetch keys of the pages whose newest snapshot is not accepted, and newer than the one that
    is.
    """
    sql = """
        SELECT p.fetch_key FROM page p
        WHERE (SELECT max(s.id) FROM snapshot s WHERE s.page_id = p.id) > p.current_snapshot_id
        ORDER BY p.fetch_key
    """
    return [key for (key,) in conn.execute(sql)]


def pages_with_evidence(conn: Connection) -> dict[str, str]:
    """Origin of the accepted snapshot by fetch key, of the pages that have one."""
    sql = (
        "SELECT p.fetch_key, s.origin FROM page p JOIN snapshot s ON s.id = p.current_snapshot_id"
        " ORDER BY p.fetch_key"
    )
    return dict(conn.execute(sql))


def note_reason(conn: Connection, snapshot: int, reason: str) -> None:
    """Write down why a snapshot was accepted; inside a transaction."""
    conn.execute("UPDATE snapshot SET reason = ? WHERE id = ?", (reason, snapshot))


def _one(conn: Connection, where: str, fetch_key: str) -> SnapshotRow | None:
    row = conn.execute(f"{_SELECT} {where}", (fetch_key,)).fetchone()
    if row is None:
        return None
    key, origin, passages, *rest, current = tuple(row)
    listed = tuple(Passage(anchor, text) for anchor, text in json.loads(passages))
    number, url, final_url, status, headers, html, raw, text, structure, versions, scope, at = rest
    return SnapshotRow(
        number, Evidence(key, origin, listed), url, final_url, status, json.loads(headers or "{}"),
        html, raw, text, structure, json.loads(versions), scope, at, bool(current),
    )  # fmt: skip

"""Inputs of evaluations found again by their content addresses, to show what differs in them."""

from __future__ import annotations

import json
from typing import Any

from jw_eval_store.store.connect import Connection

Passages = dict[str, list[str]]
"""Texts by anchor."""


def case_definition(conn: Connection, case_id: str, digest: str) -> dict[str, Any] | None:
    """A case's content by its address; none where this store never saw it."""
    sql = """
        SELECT r.definition FROM golden_case g JOIN case_revision r ON r.golden_case_id = g.id
        WHERE g.case_id = ? AND r.content_hash = ? ORDER BY r.number LIMIT 1
    """
    return _json(conn, sql, case_id, digest)


def agent_detail(conn: Connection, digest: str) -> dict[str, Any] | None:
    """What an agent's fingerprint was made of."""
    return _json(conn, "SELECT detail FROM agent_fingerprint WHERE fingerprint_hash = ?", digest)


def judge_body(conn: Connection, digest: str) -> dict[str, Any] | None:
    """A judge's identity, with its label."""
    sql = "SELECT json_set(body, '$.label', label) FROM judge WHERE identity_hash = ?"
    return _json(conn, sql, digest)


def embedder_label(conn: Connection, digest: str) -> str | None:
    """An embedder for people."""
    sql = "SELECT backend || '/' || model || ' ' || revision FROM embedder WHERE identity_hash = ?"
    row = conn.execute(sql, (digest,)).fetchone()
    return str(row[0]) if row else None


def pages_of_set(conn: Connection, digest: str) -> dict[str, tuple[str | None, Passages]]:
    """By fetch key: origin and passages of a page in an evidence set; empty if unknown."""
    sql = """
        SELECT p.fetch_key, i.origin, v.passages FROM evidence_set s
        JOIN evidence_set_item i ON i.evidence_set_id = s.id JOIN page p ON p.id = i.page_id
        LEFT JOIN evidence v ON v.id = i.evidence_id WHERE s.set_hash = ?
    """
    rows = conn.execute(sql, (digest,)).fetchall()
    return {key: (origin, _passages(passages)) for key, origin, passages in rows}


def exchanges_of(conn: Connection, digest: str) -> dict[str, str]:
    """By method and URL: what a recording holds for it, as a text to compare."""
    sql = """
        SELECT x.method || ' ' || x.url, x.position, x.status, b.content_hash FROM recording c
        JOIN http_exchange x ON x.recording_id = c.id LEFT JOIN http_body b ON b.id = x.body_id
        WHERE c.content_hash = ? ORDER BY x.position
    """
    found: dict[str, str] = {}
    for name, _, status, body in conn.execute(sql, (digest,)):
        found[name] = found.get(name, "") + f"{status} {body}\n"
    return found


def _passages(text: str | None) -> Passages:
    found: Passages = {}
    for anchor, passage in json.loads(text or "[]"):
        found.setdefault(anchor, []).append(passage)
    return found


def _json(conn: Connection, sql: str, *values: str) -> dict[str, Any] | None:
    row = conn.execute(sql, values).fetchone()
    found: dict[str, Any] | None = json.loads(row[0]) if row else None
    return found

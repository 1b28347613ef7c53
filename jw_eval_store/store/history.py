"""Look an evaluation's inputs up again, to say what has changed since."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from jw_eval_store.store.connect import Connection


@dataclass(frozen=True, slots=True)
class SetupRow:
    """A setup by its parts' local keys."""

    agent_fingerprint_id: int | None
    layer_version: str
    embedder_id: int | None
    judge_id: int | None
    settings: str


def setup_row(conn: Connection, key: int) -> SetupRow:
    """The setup with that local key."""
    sql = (
        "SELECT agent_fingerprint_id, layer_version, embedder_id, judge_id, settings"
        " FROM setup WHERE id = ?"
    )
    return SetupRow(*conn.execute(sql, (key,)).fetchone())


def definition_of(conn: Connection, revision: int) -> dict[str, Any]:
    """A case revision as JSON."""
    sql = "SELECT definition FROM case_revision WHERE id = ?"
    found: dict[str, Any] = json.loads(conn.execute(sql, (revision,)).fetchone()[0])
    return found


def fingerprint_detail(conn: Connection, key: int) -> dict[str, Any]:
    """What an agent's fingerprint was made of."""
    sql = "SELECT detail FROM agent_fingerprint WHERE id = ?"
    found: dict[str, Any] = json.loads(conn.execute(sql, (key,)).fetchone()[0])
    return found


def embedder_detail(conn: Connection, key: int | None) -> dict[str, Any]:
    """What an embedder is told by; empty for none."""
    sql = "SELECT backend, model, revision, dimension, window FROM embedder WHERE id = ?"
    row = conn.execute(sql, (key,)).fetchone()
    return dict(row) if row else {}


def judge_detail(conn: Connection, key: int | None) -> dict[str, Any]:
    """What a judge is told by, as JSON; empty for none."""
    row = conn.execute("SELECT body FROM judge WHERE id = ?", (key,)).fetchone()
    found: dict[str, Any] = json.loads(row[0]) if row else {}
    return found


def changed_exchanges(conn: Connection, before: int, after: int) -> list[str]:
    """Requests of two recordings, by method and URL, that only one has, or whose replies differ."""
    sql = """
        SELECT method, url, request_body_id, status, headers, body_id FROM http_exchange
        WHERE recording_id = ? ORDER BY position
    """
    old, new = ([tuple(row) for row in conn.execute(sql, (key,))] for key in (before, after))
    differing = [row for row in old if row not in new] + [row for row in new if row not in old]
    return list(dict.fromkeys(f"{method} {url}" for method, url, *_ in differing))


def changed_pages(conn: Connection, revision: int, evidence_set: int | None) -> list[str]:
    """Fetch keys of the cited pages whose evidence is another than in that evidence set."""
    sql = """
        SELECT DISTINCT p.fetch_key FROM revision_citation c JOIN page p ON p.id = c.page_id
        LEFT JOIN snapshot n ON n.id = p.current_snapshot_id
        LEFT JOIN evidence_set_item i ON i.evidence_set_id IS ? AND i.page_id = p.id
        WHERE c.revision_id = ?
          AND (i.evidence_id IS NOT n.evidence_id OR i.origin IS NOT n.origin)
        ORDER BY p.fetch_key
    """
    return [row[0] for row in conn.execute(sql, (evidence_set, revision))]

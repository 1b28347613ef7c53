"""Looks at live pages in the store: appended, the newest of each page; and the day's budget."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime

from jw_eval_store.domain.checks import PageCheck
from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.evidence import page_key

_DETAIL = {"reasons", "passages", "citations"}


def put_check(
    conn: Connection, check_ulid: str, check: PageCheck, *, snapshot: int | None = None
) -> None:
    """Append one look at a page, compared with a snapshot (its local key); in a transaction."""
    detail = check.model_dump(mode="json", include=_DETAIL)
    conn.execute(
        "INSERT INTO page_check (check_ulid, page_id, snapshot_id, status, problem, http_status,"
        " final_url, bytes_hash, text_hash, structure_hash, checked_at, detail)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (check_ulid, page_key(conn, check.fetch_key), snapshot, check.status, int(check.problem),
         check.http_status, check.final_url, check.bytes_hash, check.text_hash,
         check.structure_hash, check.checked_at, canonical_json(detail)),
    )  # fmt: skip


def latest_checks(conn: Connection, fetch_keys: Iterable[str] = ()) -> list[PageCheck]:
    """The newest look at each page that still has one, by fetch key; only these pages, if named."""
    wanted = set(fetch_keys)
    sql = """
        SELECT p.fetch_key, c.status, c.problem, c.http_status, c.final_url, c.bytes_hash,
               c.text_hash, c.structure_hash, c.checked_at, c.detail
        FROM page p JOIN page_check c
          ON c.id = (SELECT max(n.id) FROM page_check n WHERE n.page_id = p.id)
        ORDER BY p.fetch_key
    """
    found = [_check(row) for row in conn.execute(sql)]
    return [check for check in found if not wanted or check.fetch_key in wanted]


def cited_keys(conn: Connection) -> set[str]:
    """Fetch keys of the pages that cases in force cite."""
    sql = """
        SELECT DISTINCT p.fetch_key FROM golden_case g
        JOIN revision_citation c ON c.revision_id = g.current_revision_id
        JOIN page p ON p.id = c.page_id WHERE g.archived_at IS NULL
    """
    return {key for (key,) in conn.execute(sql)}


def _check(row: Iterable[object]) -> PageCheck:
    key, status, problem, http_status, final_url, raw, text, structure, at, detail = row
    return PageCheck.model_validate(
        {
            "fetch_key": key,
            "status": status,
            "problem": bool(problem),
            "http_status": http_status,
            "final_url": final_url,
            "bytes_hash": raw,
            "text_hash": text,
            "structure_hash": structure,
            "checked_at": at,
            **json.loads(str(detail)),
        }
    )


def take_request(conn: Connection, host: str, limit: int) -> bool:
    """Take one of today's requests to a host; false where the day's limit is reached.

    Its own transaction, so that processes share a day's budget.
    """
    day = datetime.now(UTC).date().isoformat()
    with transaction(conn):
        row = conn.execute(
            "SELECT requests FROM fetch_budget WHERE day = ? AND host = ?", (day, host)
        ).fetchone()
        if row and row[0] >= limit:
            return False
        conn.execute(
            "INSERT INTO fetch_budget (day, host, requests) VALUES (?, ?, 1)"
            " ON CONFLICT DO UPDATE SET requests = requests + 1",
            (day, host),
        )
    return True

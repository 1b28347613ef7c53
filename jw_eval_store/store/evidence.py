"""Pages, snapshots and evidence texts in the store; nothing is overwritten."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from jw_eval_store.domain.evidence import Evidence, Origin, Passage
from jw_eval_store.domain.hashing import canonical_json, content_hash, json_hash
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


@dataclass(frozen=True)
class NewSnapshot:
    """A state of a page to be stored. Hashes and status are those of the whole page, if known."""

    evidence: Evidence
    url: str
    html: str
    captured_at: str
    reducer: str
    scope: str = "page"
    final_url: str | None = None
    status: int | None = None
    headers: Mapping[str, str] | None = None
    bytes_hash: str | None = None
    text_hash: str | None = None
    structure_hash: str | None = None
    versions: Mapping[str, str] | None = None
    reason: str | None = None

    @property
    def snapshot_hash(self) -> str:
        """Content address of page, document, origin, time and reducer."""
        evidence = self.evidence
        return _snapshot_hash(
            evidence.fetch_key, self.html, evidence.origin, self.captured_at, self.reducer
        )


def _snapshot_hash(*parts: str) -> str:
    return json_hash(parts)


@dataclass(frozen=True)
class EvidenceRef:
    """The current evidence of a page: local keys, and what a verdict depends on."""

    page: int
    evidence: int | None
    origin: Origin | None
    fetch_key: str


def page_key(conn: Connection, fetch_key: str) -> int:
    """Key of a page, made if new; inside a transaction."""
    row = conn.execute("SELECT id FROM page WHERE fetch_key = ?", (fetch_key,)).fetchone()
    if row:
        return int(row[0])
    cursor = conn.execute("INSERT INTO page (fetch_key) VALUES (?)", (fetch_key,))
    return int(cursor.lastrowid or 0)


def put_snapshot(conn: Connection, new: NewSnapshot, *, accept: bool = True) -> int:
    """Store a snapshot, and make it the page's current one; inside a transaction."""
    page = page_key(conn, new.evidence.fetch_key)
    row = conn.execute(
        "SELECT id FROM snapshot WHERE snapshot_hash = ?", (new.snapshot_hash,)
    ).fetchone()
    key = int(row[0]) if row else _insert_snapshot(conn, page, new)
    if accept:
        conn.execute("UPDATE page SET current_snapshot_id = ? WHERE id = ?", (key, page))
    return key


def find_snapshot(
    conn: Connection, fetch_key: str, html: str, origin: Origin, captured_at: str, reducer: str
) -> int | None:
    """Key of the snapshot stored of just this page, document, origin, time and reducer."""
    digest = _snapshot_hash(fetch_key, html, origin, captured_at, reducer)
    row = conn.execute("SELECT id FROM snapshot WHERE snapshot_hash = ?", (digest,)).fetchone()
    return int(row[0]) if row else None


def use_snapshot(conn: Connection, snapshot: int) -> None:
    """Make a stored snapshot its page's current one; inside a transaction."""
    conn.execute(
        "UPDATE page SET current_snapshot_id = ?1"
        " WHERE id = (SELECT page_id FROM snapshot WHERE id = ?1)",
        (snapshot,),
    )


def displaced_snapshots(conn: Connection, root: str) -> list[int]:
    """Snapshots of a synced folder that are not their pages' current ones."""
    sql = """
        SELECT n.id FROM synced_file f JOIN snapshot n ON n.id = f.snapshot_id
        JOIN page p ON p.id = n.page_id
        WHERE f.root = ? AND f.kind = 'evidence' AND p.current_snapshot_id IS NOT n.id
    """
    return [row[0] for row in conn.execute(sql, (root,))]


def snapshots_of_other_roots(
    conn: Connection, roots: Sequence[str], revisions: Iterable[int] = ()
) -> dict[str, int]:
    """Current snapshots that none of these folders holds, by the fetch key of their page.

    Of the pages that one's own cases cite, today or in one of these revisions.
    """
    sql = f"""
        SELECT p.fetch_key, p.current_snapshot_id FROM page p
        WHERE p.current_snapshot_id IS NOT NULL AND p.current_snapshot_id NOT IN (
            SELECT snapshot_id FROM synced_file WHERE kind = 'evidence'
            AND snapshot_id IS NOT NULL AND root IN ({", ".join("?" * len(roots))}))
          AND EXISTS (
            SELECT 1 FROM revision_citation c JOIN case_revision r ON r.id = c.revision_id
            JOIN golden_case g ON g.id = r.golden_case_id
            WHERE c.page_id = p.id AND NOT g.bundled
              AND (g.current_revision_id = r.id AND g.archived_at IS NULL
                OR r.id IN (SELECT value FROM json_each(?))))
        ORDER BY p.fetch_key
    """
    return dict(tuples(conn, sql, (*roots, canonical_json(list(revisions)))))


def withdraw_snapshot(conn: Connection, snapshot: int) -> str | None:
    """Leave its page without evidence, if it was current: the page's fetch key, else none."""
    row = conn.execute(
        "UPDATE page SET current_snapshot_id = NULL"
        " WHERE id = (SELECT page_id FROM snapshot WHERE id = ?1) AND current_snapshot_id = ?1"
        " RETURNING fetch_key",
        (snapshot,),
    ).fetchone()
    return row[0] if row else None


def _insert_snapshot(conn: Connection, page: int, new: NewSnapshot) -> int:
    cursor = conn.execute(
        "INSERT INTO snapshot (snapshot_hash, page_id, evidence_id, origin, url, final_url, status,"
        " headers, html, bytes_hash, text_hash, structure_hash, versions, scope, captured_at,"
        " reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (new.snapshot_hash, page, evidence_key(conn, new.evidence), new.evidence.origin, new.url,
         new.final_url, new.status, canonical_json(dict(new.headers or {})), new.html,
         new.bytes_hash, new.text_hash, new.structure_hash,
         canonical_json({**(new.versions or {}), "reducer": new.reducer}), new.scope,
         new.captured_at, new.reason),
    )  # fmt: skip
    return int(cursor.lastrowid or 0)


def evidence_key(conn: Connection, evidence: Evidence) -> int:
    """Key of an evidence text, stored once per content; inside a transaction."""
    body = canonical_json([[p.anchor, p.text] for p in evidence.passages])
    digest = content_hash(body)
    row = conn.execute("SELECT id FROM evidence WHERE content_hash = ?", (digest,)).fetchone()
    if row:
        return int(row[0])
    cursor = conn.execute(
        "INSERT INTO evidence (content_hash, passages) VALUES (?, ?)", (digest, body)
    )
    return int(cursor.lastrowid or 0)


def cited_evidence(conn: Connection, revision: int) -> list[EvidenceRef]:
    """Current evidence of every page that a case revision cites, by page."""
    sql = """
        SELECT DISTINCT p.id, n.evidence_id, n.origin, p.fetch_key
        FROM revision_citation c JOIN page p ON p.id = c.page_id
        LEFT JOIN snapshot n ON n.id = p.current_snapshot_id
        WHERE c.revision_id = ? ORDER BY p.fetch_key
    """
    return [EvidenceRef(*row) for row in conn.execute(sql, (revision,))]


def load_passages(conn: Connection, evidence: int) -> tuple[Passage, ...]:
    """The text of an evidence row by anchor."""
    row = conn.execute("SELECT passages FROM evidence WHERE id = ?", (evidence,)).fetchone()
    return tuple(Passage(anchor, text) for anchor, text in json.loads(row[0]))


def load_evidence(conn: Connection, refs: Iterable[EvidenceRef]) -> dict[str, Evidence]:
    """The evidence by fetch key; a page that has none is left out."""
    return {
        ref.fetch_key: Evidence(ref.fetch_key, ref.origin, load_passages(conn, ref.evidence))
        for ref in refs
        if ref.evidence is not None and ref.origin is not None
    }


def evidence_set_key(conn: Connection, refs: Iterable[EvidenceRef]) -> int | None:
    """Key of the set of texts one evaluation looked at; none for no page. In a transaction."""
    items = list(refs)
    if not items:
        return None
    digest = json_hash([_natural(conn, ref) for ref in items])
    row = conn.execute("SELECT id FROM evidence_set WHERE set_hash = ?", (digest,)).fetchone()
    return int(row[0]) if row else _insert_set(conn, digest, items)


def _insert_set(conn: Connection, digest: str, items: list[EvidenceRef]) -> int:
    cursor = conn.execute("INSERT INTO evidence_set (set_hash) VALUES (?)", (digest,))
    key = int(cursor.lastrowid or 0)
    conn.executemany(
        "INSERT INTO evidence_set_item (evidence_set_id, page_id, evidence_id, origin)"
        " VALUES (?, ?, ?, ?)",
        [(key, ref.page, ref.evidence, ref.origin) for ref in items],
    )
    return key


def _natural(conn: Connection, ref: EvidenceRef) -> list[str | None]:
    sql = "SELECT content_hash FROM evidence WHERE id = ?"
    row = conn.execute(sql, (ref.evidence,)).fetchone()
    return [ref.fetch_key, row[0] if row else None, ref.origin]

"""Vectors in the store: float32 bytes, once per embedder and text; and the texts of cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jw_eval_store.domain.matching import EmbedderIdentity
from jw_eval_store.store.connect import Connection, now

_AT_ONCE = 500
"""Hashes per query; SQLite takes 32,766 values."""


_CURRENT_TEXTS = """
    SELECT t.text_hash FROM revision_text t
    JOIN golden_case g ON g.current_revision_id = t.revision_id WHERE g.archived_at IS NULL
"""


@dataclass(frozen=True)
class CaseText:
    """A text of a case's current revision, by the hash that its vector has."""

    case_id: str
    field: str
    text_hash: str


@dataclass(frozen=True)
class CachedVectors:
    """What the cache holds of one embedder. `size` in bytes."""

    identity: EmbedderIdentity
    texts: int
    size: int
    oldest: str | None
    newest: str | None


def embedder_key(conn: Connection, identity: EmbedderIdentity) -> int:
    """Key of an embedder, stored if new; inside a transaction."""
    found = _find(conn, identity)
    if found is not None:
        return found
    body = identity.model_dump()
    columns, marks = ", ".join(body), ", ".join("?" * len(body))
    return int(
        conn.execute(
            f"INSERT INTO embedder (identity_hash, {columns}) VALUES (?, {marks})",
            (identity.identity_hash, *body.values()),
        ).lastrowid
        or 0
    )


def get_vectors(
    conn: Connection, identity: EmbedderIdentity, text_hashes: Sequence[str]
) -> dict[str, bytes]:
    """The stored vectors of some texts, by text hash."""
    embedder = _find(conn, identity)
    found: dict[str, bytes] = {}
    for start in range(0, len(text_hashes) if embedder else 0, _AT_ONCE):
        hashes = text_hashes[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(hashes))
        sql = (
            "SELECT text_hash, vector FROM embedding"
            f" WHERE embedder_id = ? AND text_hash IN ({marks})"
        )
        found.update((str(h), bytes(v)) for h, v in conn.execute(sql, (embedder, *hashes)))
    return found


def put_vectors(conn: Connection, identity: EmbedderIdentity, vectors: Mapping[str, bytes]) -> None:
    """Store vectors; those that are there already stay. Inside a transaction."""
    embedder, moment = embedder_key(conn, identity), now()
    conn.executemany(
        "INSERT INTO embedding (embedder_id, text_hash, vector, created_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        [(embedder, text_hash, vector, moment) for text_hash, vector in vectors.items()],
    )


def cached_vectors(conn: Connection) -> Iterator[CachedVectors]:
    """What the cache holds, an entry per embedder."""
    sql = """
        SELECT m.backend, m.model, m.revision, m.dimension, m.window, count(v.id) AS texts,
            coalesce(sum(length(v.vector)), 0) AS size, min(v.created_at) AS oldest,
            max(v.created_at) AS newest
        FROM embedder m LEFT JOIN embedding v ON v.embedder_id = m.id
        GROUP BY m.id ORDER BY m.backend, m.model, m.revision
    """
    for row in conn.execute(sql):
        identity = EmbedderIdentity(**{name: row[name] for name in EmbedderIdentity.model_fields})
        yield CachedVectors(identity, row["texts"], row["size"], row["oldest"], row["newest"])


def prune_vectors(
    conn: Connection, keep: EmbedderIdentity | None, *, before: str | None = None
) -> int:
    """Delete vectors and say how many; inside a transaction.

    All of other embedders than `keep` go (none: of every embedder); of `keep`, those made before a
    moment whose text is none of a current case's.
    """
    kept = _find(conn, keep) if keep else None
    deleted = conn.execute("DELETE FROM embedding WHERE embedder_id IS NOT ?", (kept,)).rowcount
    if before is None or kept is None:
        return deleted
    sql = f"""
        DELETE FROM embedding WHERE embedder_id = ? AND created_at < ?
        AND text_hash NOT IN ({_CURRENT_TEXTS})
    """
    return deleted + conn.execute(sql, (kept, before)).rowcount


def revisions_without_texts(conn: Connection) -> list[int]:
    """Current revisions whose texts are not yet listed."""
    sql = """
        SELECT g.current_revision_id FROM golden_case g
        LEFT JOIN revision_text t ON t.revision_id = g.current_revision_id
        WHERE g.archived_at IS NULL AND g.current_revision_id IS NOT NULL AND t.field IS NULL
    """
    return [int(key) for (key,) in conn.execute(sql)]


def put_revision_texts(conn: Connection, revision: int, hashes: Mapping[str, str]) -> None:
    """List a revision's texts, field to hash; inside a transaction."""
    conn.executemany(
        "INSERT INTO revision_text (revision_id, field, text_hash) VALUES (?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        [(revision, field, text_hash) for field, text_hash in hashes.items()],
    )


def clear_revision_texts(conn: Connection) -> None:
    """Forget the list of texts, to be made anew; inside a transaction."""
    conn.execute("DELETE FROM revision_text")


def case_texts(conn: Connection, fields: Iterable[str] = ()) -> list[CaseText]:
    """Texts of all current cases that aren't archived, by case and field; `fields` none: all."""
    wanted = frozenset(fields)
    sql = """
        SELECT g.case_id, t.field, t.text_hash FROM revision_text t
        JOIN golden_case g ON g.current_revision_id = t.revision_id
        WHERE g.archived_at IS NULL ORDER BY g.case_id, t.field
    """
    return [CaseText(*row) for row in conn.execute(sql) if not wanted or row["field"] in wanted]


def current_vectors(conn: Connection, identity: EmbedderIdentity) -> dict[str, bytes]:
    """The stored vectors of current cases' texts, by text hash, in the order of the hashes."""
    sql = f"""
        SELECT DISTINCT v.text_hash, v.vector FROM embedding v
        WHERE v.embedder_id = ? AND v.text_hash IN ({_CURRENT_TEXTS}) ORDER BY v.text_hash
    """
    return {str(h): bytes(v) for h, v in conn.execute(sql, (_find(conn, identity),))}


def revisions_without_vectors(conn: Connection, identity: EmbedderIdentity) -> list[int]:
    """Current revisions of which a text has no vector yet."""
    sql = """
        SELECT DISTINCT t.revision_id FROM revision_text t
        JOIN golden_case g ON g.current_revision_id = t.revision_id
        LEFT JOIN embedding v ON v.embedder_id IS ? AND v.text_hash = t.text_hash
        WHERE g.archived_at IS NULL AND v.id IS NULL
    """
    return [int(key) for (key,) in conn.execute(sql, (_find(conn, identity),))]


def _find(conn: Connection, identity: EmbedderIdentity) -> int | None:
    sql = "SELECT id FROM embedder WHERE identity_hash = ?"
    row = conn.execute(sql, (identity.identity_hash,)).fetchone()
    return int(row[0]) if row else None

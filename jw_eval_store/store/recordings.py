"""Recordings in the store: exchanges by case and agent, bodies compressed and stored once."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from jw_eval_store.domain.hashing import canonical_json, content_hash, json_hash
from jw_eval_store.domain.recordings import Exchange, Headers, Recording
from jw_eval_store.store.connect import Connection, now


@dataclass(frozen=True)
class RecordingRow:
    """A current recording for people: whose it is, how large (bytes of all bodies), how old."""

    key: int
    case_id: str
    agent: str
    recording_hash: str
    exchanges: int
    size: int
    recorded_at: str


def recording_hash(case_id: str, agent: str, recording: Recording) -> str:
    """Natural key of a recording: whose it is, and its content."""
    return json_hash([case_id, agent, recording.content_hash])


def put_recording(
    conn: Connection, case_id: str, agent: str, recording: Recording, recorded_at: str | None = None
) -> int:
    """Store a recording and make it the one that is replayed; inside a transaction.

    The same content is stored once, and then only its time is renewed. Raises KeyError for a case
    that is not stored.
    """
    found = conn.execute("SELECT id FROM golden_case WHERE case_id = ?", (case_id,)).fetchone()
    if found is None:
        raise KeyError(case_id)
    digest, moment = recording_hash(case_id, agent, recording), recorded_at or now()
    row = conn.execute("SELECT id FROM recording WHERE content_hash = ?", (digest,)).fetchone()
    key = int(row[0]) if row else _insert(conn, found[0], agent, recording, digest, moment)
    conn.execute(
        "INSERT OR REPLACE INTO current_recording"
        " (golden_case_id, agent, recording_id, recorded_at) VALUES (?, ?, ?, ?)",
        (found[0], agent, key, moment),
    )
    return key


def stop_replaying(conn: Connection, case_id: str, agent: str) -> None:
    """Replay no recording of this case any longer; it stays stored. Inside a transaction."""
    conn.execute(
        "DELETE FROM current_recording WHERE agent = ?"
        " AND golden_case_id = (SELECT id FROM golden_case WHERE case_id = ?)",
        (agent, case_id),
    )


def current_recordings(conn: Connection) -> dict[tuple[int, str], int]:
    """By local key of the case and name of the agent: local key of what is replayed."""
    rows = conn.execute("SELECT golden_case_id, agent, recording_id FROM current_recording")
    return {(case, agent): key for case, agent, key in rows}


def load_recording(conn: Connection, key: int) -> Recording:
    """A recording by its local key."""
    rows = conn.execute(
        "SELECT x.method, x.url, x.request_headers, q.body, x.status, x.headers, b.body"
        " FROM http_exchange x LEFT JOIN http_body q ON q.id = x.request_body_id"
        " LEFT JOIN http_body b ON b.id = x.body_id WHERE x.recording_id = ? ORDER BY x.position",
        (key,),
    )
    return Recording(tuple(_exchange(*row) for row in rows))


def list_recordings(conn: Connection) -> list[RecordingRow]:
    """The current recordings, by case and agent."""
    rows = conn.execute(
        "SELECT r.id, g.case_id, c.agent, r.content_hash,"
        " (SELECT count(*) FROM http_exchange x WHERE x.recording_id = r.id), r.size, c.recorded_at"
        " FROM current_recording c JOIN recording r ON r.id = c.recording_id"
        " JOIN golden_case g ON g.id = c.golden_case_id ORDER BY g.case_id, c.agent"
    )
    return [RecordingRow(*row) for row in rows]


def damaged_recordings(conn: Connection) -> list[RecordingRow]:
    """Current recordings whose content is not what their address says."""
    return [row for row in list_recordings(conn) if _is_damaged(conn, row)]


def prune_recordings(conn: Connection) -> tuple[int, int]:
    """Remove recordings that are neither replayed nor named by a verdict, and bodies without use.

    Inside a transaction. Returns how many recordings and bodies went.
    """
    unused = (
        "SELECT id FROM recording WHERE id NOT IN (SELECT recording_id FROM current_recording)"
        " AND id NOT IN (SELECT recording_id FROM evaluation WHERE recording_id IS NOT NULL)"
    )
    conn.execute(f"DELETE FROM http_exchange WHERE recording_id IN ({unused})")
    recordings = conn.execute(f"DELETE FROM recording WHERE id IN ({unused})").rowcount
    bodies = conn.execute(
        "DELETE FROM http_body WHERE NOT EXISTS"
        " (SELECT 1 FROM http_exchange x WHERE x.body_id = http_body.id)"
        " AND NOT EXISTS (SELECT 1 FROM http_exchange x WHERE x.request_body_id = http_body.id)"
    ).rowcount
    return recordings, bodies


def _is_damaged(conn: Connection, row: RecordingRow) -> bool:
    try:
        recording = load_recording(conn, row.key)
    except (ValueError, zlib.error):
        return True
    return recording_hash(row.case_id, row.agent, recording) != row.recording_hash


def _insert(
    conn: Connection, case: int, agent: str, recording: Recording, digest: str, moment: str
) -> int:
    cursor = conn.execute(
        "INSERT INTO recording (content_hash, golden_case_id, agent, size, recorded_at)"
        " VALUES (?, ?, ?, ?, ?)",
        (digest, case, agent, recording.size, moment),
    )
    key = int(cursor.lastrowid or 0)
    conn.executemany(
        "INSERT INTO http_exchange (recording_id, position, method, url, request_headers,"
        " request_body_id, status, headers, body_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _rows(conn, key, recording.exchanges),
    )
    return key


def _rows(
    conn: Connection, key: int, exchanges: Iterable[Exchange]
) -> list[tuple[int, int, str, str, str, int | None, int, str, int | None]]:
    return [
        (key, position, e.method, e.url, canonical_json(e.request_headers),
         _body_key(conn, e.request_body), e.status, canonical_json(e.headers),
         _body_key(conn, e.body))
        for position, e in enumerate(exchanges)
    ]  # fmt: skip


def _body_key(conn: Connection, body: bytes) -> int | None:
    if not body:
        return None
    digest = content_hash(body)
    row = conn.execute("SELECT id FROM http_body WHERE content_hash = ?", (digest,)).fetchone()
    if row:
        return int(row[0])
    cursor = conn.execute(
        "INSERT INTO http_body (content_hash, size, body) VALUES (?, ?, ?)",
        (digest, len(body), zlib.compress(body, 6)),
    )
    return int(cursor.lastrowid or 0)


def _exchange(
    method: str, url: str, request_headers: str, request_body: bytes | None,
    status: int, headers: str, body: bytes | None,
) -> Exchange:  # fmt: skip
    return Exchange(
        method, url, _headers(request_headers), _body(request_body), status, _headers(headers),
        _body(body),
    )  # fmt: skip


def _headers(text: str) -> Headers:
    return tuple((name, value) for name, value in json.loads(text))


def _body(compressed: bytes | None) -> bytes:
    return b"" if compressed is None else zlib.decompress(compressed)

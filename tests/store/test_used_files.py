"""What answers depended on is stored with their fingerprint, and only grows."""

from __future__ import annotations

from jw_eval_store.store import connect
from jw_eval_store.store.used_files import put_used, recent_fingerprints


def test_used_files_grow_with_the_fingerprint(conn: connect.Connection) -> None:
    with connect.transaction(conn):
        for number in (1, 2):
            conn.execute(
                "INSERT INTO agent_fingerprint"
                " (fingerprint_hash, agent, origin, detail, created_at)"
                " VALUES (?, 'apologetics', 'o', '{\"files\": {}}', '2026-01-01')",
                (f"sha256:{number}",),
            )
        put_used(conn, "sha256:1", {"kit/a.py", "kit/b.py"})
        put_used(conn, "sha256:1", {"kit/b.py", "kit/tables/"})
    newest, oldest = recent_fingerprints(conn, "apologetics")
    assert (newest.fingerprint_hash, newest.used) == ("sha256:2", None)
    assert oldest.used == frozenset({"kit/a.py", "kit/b.py", "kit/tables/"})
    assert oldest.detail == {"files": {}}
    assert recent_fingerprints(conn, "other") == []

"""Threshold profiles in the store: the newest of an embedder is in force."""

from __future__ import annotations

from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.domain.matching import EmbedderIdentity, ThresholdProfile
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.embeddings import embedder_key
from jw_eval_store.store.moments import moment_after


def put_profile(conn: Connection, profile: ThresholdProfile) -> None:
    """Bring a profile into force; inside a transaction. The same again becomes the newest."""
    (newest,) = conn.execute("SELECT max(created_at) FROM threshold_profile").fetchone()
    conn.execute(
        "INSERT INTO threshold_profile (profile_hash, embedder_id, body, created_at)"
        " VALUES (?, ?, ?, ?)"
        " ON CONFLICT (profile_hash) DO UPDATE SET created_at = excluded.created_at",
        (
            profile.profile_hash,
            embedder_key(conn, profile.embedder),
            canonical_json(profile.model_dump(mode="json")),
            moment_after(newest),
        ),
    )


def newest_profile(conn: Connection, identity: EmbedderIdentity) -> ThresholdProfile | None:
    """The profile in force for exactly this embedder; none where none was calibrated."""
    row = conn.execute(
        "SELECT p.body FROM threshold_profile p JOIN embedder m ON m.id = p.embedder_id"
        " WHERE m.identity_hash = ? ORDER BY p.created_at DESC, p.id DESC LIMIT 1",
        (identity.identity_hash,),
    ).fetchone()
    return ThresholdProfile.model_validate_json(row[0]) if row else None


def delete_profile(conn: Connection, profile_hash: str) -> None:
    """Remove a profile; inside a transaction. The one before it is in force again."""
    conn.execute("DELETE FROM threshold_profile WHERE profile_hash = ?", (profile_hash,))


def verdicts_under(conn: Connection, profile_hash: str) -> tuple[int, int]:
    """How many stored verdicts were made while this profile was in force, on how many cases."""
    sql = """
        SELECT count(*), count(DISTINCT e.golden_case_id) FROM evaluation e
        JOIN setup s ON s.id = e.setup_id WHERE json_extract(s.settings, '$.profile') = ?
    """
    verdicts, cases = conn.execute(sql, (profile_hash,)).fetchone()
    return verdicts, cases


def all_profiles(conn: Connection) -> tuple[ThresholdProfile, ...]:
    """Every stored profile, newest first."""
    rows = conn.execute("SELECT body FROM threshold_profile ORDER BY created_at DESC, id DESC")
    return tuple(ThresholdProfile.model_validate_json(body) for (body,) in rows)

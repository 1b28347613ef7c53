"""Thresholds of models for inference in the store: appended, the newest of each kind holds."""

from __future__ import annotations

from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.domain.inference import InferenceProfile
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.moments import moment_after


def put_inference_profile(conn: Connection, profile: InferenceProfile) -> None:
    """Bring a profile into force; inside a transaction. The same again becomes the newest."""
    (newest,) = conn.execute("SELECT max(created_at) FROM inference_profile").fetchone()
    conn.execute(
        "INSERT INTO inference_profile (profile_hash, model, revision, body, created_at)"
        " VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (profile_hash) DO UPDATE SET created_at = excluded.created_at",
        (
            profile.profile_hash,
            profile.model,
            profile.revision,
            canonical_json(profile.model_dump(mode="json")),
            moment_after(newest),
        ),
    )


def inference_profiles(conn: Connection) -> tuple[InferenceProfile, ...]:
    """Every stored profile, of whatever model, newest first."""
    rows = conn.execute("SELECT body FROM inference_profile ORDER BY created_at DESC, id DESC")
    return tuple(InferenceProfile.model_validate_json(body) for (body,) in rows)

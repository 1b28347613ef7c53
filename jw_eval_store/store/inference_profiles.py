"""Thresholds of models for inference in the store: the newest of each kind holds."""

from __future__ import annotations

from collections.abc import Iterable

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


def delete_inference_profile(conn: Connection, profile_hash: str) -> None:
    """Remove a profile, all its kinds and languages; inside a transaction."""
    conn.execute("DELETE FROM inference_profile WHERE profile_hash = ?", (profile_hash,))


def verdicts_under_thresholds(
    conn: Connection, profile: InferenceProfile, held: Iterable[tuple[str, str]]
) -> tuple[int, int]:
    """How many stored verdicts its model gave under these thresholds, on how many cases.

    `held` are kinds with the digest of their thresholds. What settings stood in for is left out.
    """
    sql = """
        SELECT count(*), count(DISTINCT e.golden_case_id) FROM evaluation e
        JOIN setup s ON s.id = e.setup_id, json_each(?) h
        WHERE json_extract(s.settings, '$.entailment.revision') = ?
          AND json_extract(s.settings, '$.entailment.aggregation') = ?
          AND json_extract(s.settings, '$.entailment.kind') = json_extract(h.value, '$[0]')
          AND json_extract(s.settings, '$.entailment.thresholds') = json_extract(h.value, '$[1]')
          AND (json_extract(s.settings, '$.entailment.pass_at') IS NULL
               OR json_extract(s.settings, '$.entailment.fail_at') IS NULL)
    """
    listed = canonical_json([list(one) for one in held])
    verdicts, cases = conn.execute(sql, (listed, profile.revision, profile.aggregation)).fetchone()
    return verdicts, cases

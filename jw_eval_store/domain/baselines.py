"""A baseline: a run approved by name, by someone, for a reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Approval:
    """One approval, in force unless `revoked_at` is set or a later one has the same name.

    `forced`: the run had errors, skips or refused files. `case_set_hash` is the content address of
    the case revisions in it; `judge` is for people. Counts are the run's.
    """

    ulid: str
    name: str
    run: str
    approved_at: str
    approved_by: str
    reason: str
    forced: bool
    case_set_hash: str
    judge: str | None
    passed: int
    failed: int
    errors: int
    skipped: int
    in_force: bool
    revoked_at: str | None = None
    revoked_by: str | None = None
    revoke_reason: str | None = None

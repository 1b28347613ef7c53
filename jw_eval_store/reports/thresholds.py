"""What a cross-encoder's calibration found, kind by kind, and what stays uncalibrated."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.domain.inference import Counted, InferenceProfile, InferenceThresholds
from jw_eval_store.reports.listing import Cell, listed, listing

_COLUMNS = (
    "kind",
    "language",
    ">pairs",
    ">passes from",
    ">true passed",
    ">others passed",
    ">contradictions passed",
    ">fails from",
    ">true failed",
    ">contradictions failed",
)


def inference_text(profile: InferenceProfile, kind: str) -> str:
    """A row per kind and language with Wilson's limits of 95 %; `kind` is that of the cases."""
    table = listed(listing(_COLUMNS, map(_row, profile.entries)), "table")
    return table + "".join(f"{line}\n" for line in _notes(profile, kind))


def _row(entry: InferenceThresholds) -> tuple[Cell, ...]:
    return (
        entry.kind,
        entry.language,
        entry.pairs,
        entry.pass_at,
        _good(entry.true_passed),
        _bad(entry.others_passed),
        _bad(entry.contradictions_passed),
        entry.fail_at,
        _bad(entry.true_failed),
        _good(entry.contradictions_failed),
    )


def _good(count: Counted) -> str:
    return f"{count.hits} of {count.total} (at least {count.lower:.1%})" if count.total else "-"


def _bad(count: Counted) -> str:
    return f"{count.hits} of {count.total} (at most {count.upper:.1%})" if count.total else "-"


def _notes(profile: InferenceProfile, kind: str) -> Iterator[str]:
    for entry in profile.entries:
        yield from (f"{entry.kind}, {entry.language}: {reason}" for reason in entry.reasons)
    if kind not in {entry.kind for entry in profile.entries}:
        yield f"none of these pairs is of the cases' kind, {kind} (nli_kind of [judge])"
    for entry in profile.entries:
        if not entry.tells:
            yield f"{entry.kind}, {entry.language}: too few pairs; what held before still holds"
    if any(entry.tells for entry in profile.entries):
        yield f"stored: these hold from now on for {profile.model} ({profile.revision[:19]})"

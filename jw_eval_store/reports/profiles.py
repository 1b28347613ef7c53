"""Threshold profiles and calibrations, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from jw_eval_store.domain.matching import ThresholdProfile
from jw_eval_store.judges.calibrate import Calibration
from jw_eval_store.judges.curves import text_plot
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import Cell, json_text, listed, listing
from jw_eval_store.reports.thresholds import inference_text
from jw_eval_store.runs.calibrating import Calibrated, KnownInference, KnownProfile
from jw_eval_store.runs.forgetting import Change, Forgotten
from jw_eval_store.text.plurals import plural

_COLUMNS = (
    "id",
    "model",
    "kind",
    "language",
    ">passes from",
    ">fails",
    ">pairs",
    "from",
    "in force",
)


_CHANGES = ("kind", "language", ">passes from", ">fails", ">then passes from", ">then fails")


def calibrated_text(found: Calibrated) -> str:
    """What was measured of the embedder, then of the cross-encoder."""
    parts = [
        embedder_text(found.embedder) if found.embedder else "",
        inference_text(found.inference, found.kind) if found.inference else "",
    ]
    return "\n".join(part for part in parts if part)


def embedder_text(found: Calibration) -> str:
    """The trade-off as a plot, what the thresholds do on each set, and what is stored."""
    profile = found.profile
    lines = [text_plot(found), "", *_by_set(profile), ""]
    lines += [_threshold(profile, name) for name in ("reject", "pass_at")]
    lines.append(f"stored: these hold from now on for {profile.embedder.label}")
    return "\n".join(lines) + "\n"


def _threshold(profile: ThresholdProfile, name: str) -> str:
    low, high = profile.intervals[name]
    return f"{name:<8} {getattr(profile, name):.2f}  (95 % interval {low:.2f} to {high:.2f})"


def _by_set(profile: ThresholdProfile) -> Iterator[str]:
    for name, label, counts in _counts(profile):
        yield (
            f"{name}, {label}: of {counts['pairs']} pairs {counts['passed']} pass without a judge,"
            f" {counts['failed']} fail"
        )


def _counts(profile: ThresholdProfile) -> Iterator[tuple[str, str, Mapping[str, int]]]:
    sets = cast("Mapping[str, Any]", profile.provenance.get("sets", {}))
    for name, entry in sets.items():
        for label, counts in entry["labels"].items():
            yield name, label, counts


def profiles_report(
    profiles: Sequence[KnownProfile],
    inference: Sequence[KnownInference],
    form: str,
    page: Page | None = None,
) -> str:
    """Embedders, then cross-encoders by kind and language: `table`, `json` (all of it) or `csv`."""
    if form == "json":
        return json_text([*profiles, *inference])
    rows = [*map(_embedder_row, profiles), *map(_inference_row, inference)]
    return listed(listing(_COLUMNS, rows), form, page)


def _embedder_row(known: KnownProfile) -> tuple[Cell, ...]:
    profile = known.profile
    return (
        known.id.removeprefix("sha256:")[:12],
        profile.embedder.label,
        None,
        None,
        f"cosine {profile.pass_at:g}",
        f"below {profile.reject:g}",
        sum(counts["pairs"] for *_, counts in _counts(profile)),
        _from(known.origin, profile.provenance),
        known.in_force,
    )


def _inference_row(known: KnownInference) -> tuple[Cell, ...]:
    found = known.thresholds
    return (
        known.id.removeprefix("sha256:")[:12],
        f"{known.model} ({known.revision[:19]})",
        found.kind,
        found.language,
        None if found.pass_at is None else f"entailment {found.pass_at:g}",
        None if found.fail_at is None else f"from contradiction {found.fail_at:g}",
        found.pairs,
        _from(known.origin, known.provenance),
        known.in_force,
    )


def forgotten_text(found: Forgotten, *, dry_run: bool) -> str:
    """What held of a calibration, what holds without it, and what was decided under it."""
    name = f"the calibration {found.id.removeprefix('sha256:')[:12]} of {found.label}"
    lines = [f"{name} on {found.file}" if found.file else name]
    if found.changes:
        lines.append(listed(listing(_CHANGES, map(_changed, found.changes)), "table").rstrip("\n"))
    else:
        lines.append("it is not in force, so the thresholds stay")
    if found.verdicts:
        counted = f"{plural(found.verdicts, 'verdict')} on {plural(found.cases, 'case')}"
        lines.append(f"{counted} made under it, which stay; the next run judges anew")
    else:
        lines.append("no stored verdict was made under it")
    lines.append("nothing was removed; do it with --yes" if dry_run else "removed")
    return "\n".join(lines) + "\n"


def _changed(change: Change) -> tuple[Cell, ...]:
    then = change.then or (None, None)
    return (change.kind, change.language, *change.now, *then)


def _from(origin: str, provenance: Mapping[str, Any]) -> str:
    file = provenance.get("file")
    return f"{origin} ({file})" if file else origin

"""Threshold profiles and calibrations, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from jw_eval_store.domain.matching import ThresholdProfile
from jw_eval_store.judges.calibrate import Calibration
from jw_eval_store.judges.curves import text_plot
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import Cell, json_text, listed, listing
from jw_eval_store.runs.calibrating import KnownProfile

_COLUMNS = ("embedder", ">reject", ">pass at", ">margin", ">pairs", "from", "in force")


def calibration_text(found: Calibration) -> str:
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


def profiles_report(profiles: Sequence[KnownProfile], form: str, page: Page | None = None) -> str:
    """The profiles as `table`, `json` (all of their provenance) or `csv`."""
    if form == "json":
        return json_text(profiles)
    return listed(listing(_COLUMNS, map(_row, profiles)), form, page)


def _row(known: KnownProfile) -> tuple[Cell, ...]:
    profile = known.profile
    file = profile.provenance.get("file")
    return (
        profile.embedder.label,
        profile.reject,
        profile.pass_at,
        profile.margin,
        sum(counts["pairs"] for *_, counts in _counts(profile)),
        f"{known.origin} ({file})" if file else known.origin,
        known.in_force,
    )

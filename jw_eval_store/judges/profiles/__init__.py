"""Threshold profiles: shipped for the embedded embedder, else as calibrated by the user."""

from __future__ import annotations

from importlib.resources import files

from jw_eval_store.domain.matching import EmbedderIdentity, ThresholdProfile


def shipped_profiles() -> tuple[ThresholdProfile, ...]:
    """The profiles that come with the package."""
    folder = files("jw_eval_store.judges.profiles")
    found = sorted((each for each in folder.iterdir() if each.name.endswith(".json")), key=str)
    return tuple(ThresholdProfile.model_validate_json(each.read_text("utf-8")) for each in found)


def shipped_profile(identity: EmbedderIdentity) -> ThresholdProfile | None:
    """The shipped profile of exactly this embedder, weights included; none if there is none."""
    return next((p for p in shipped_profiles() if p.embedder == identity), None)

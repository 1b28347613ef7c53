"""Try the cross-encoder out: is it there, which weights, calibrated for what, and how fast."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.domain.inference import InferenceThresholds
from jw_eval_store.judges.inference.choose import choose_inference
from jw_eval_store.judges.inference.embedded import INSTALL, installed_card, label_of
from jw_eval_store.judges.inference.interface import InferenceModel
from jw_eval_store.judges.inference.profiles import card_in_use
from jw_eval_store.runs.inferring import entries_in_force, shipped_entries
from jw_eval_store.store.connect import reading

_PAIR = ("The river is wide and deep.", "The river is not deep.")


@dataclass(frozen=True)
class InferenceCheck:
    """What was found. `off`: none is set. A line that starts with `next: ` is the next step."""

    state: Literal["ok", "off", "broken"]
    lines: tuple[str, ...]


def check_inference(config: Config) -> InferenceCheck:
    """Load the configured cross-encoder and time a pair. Never raises for what it does."""
    settings = config.settings.judge
    if settings.nli is None:
        return InferenceCheck("off", _off())
    try:
        model = choose_inference(settings.nli)
        first, again = _timed(model), _timed(model)
        known = _known(config, model.revision)
    except JwEvalError as error:
        return InferenceCheck("broken", tuple(str(error).splitlines()))
    lines = (
        f"entailment by {model.label}, revision {model.revision[:19]}",
        f"a short pair took {again:.0f} ms (the first one {first:.0f} ms)",
        *_calibrated(known, settings.nli_kind),
    )
    return InferenceCheck("ok", lines)


def _off() -> tuple[str, ...]:
    try:
        label = _installed()
    except JwEvalError as error:
        return ("no cross-encoder is set", *str(error).splitlines())
    if label is None:
        step = f"next: {INSTALL}, and set JW_EVAL_NLI=embedded"
        return ("no cross-encoder is set, and none is installed", step)
    return (
        f"no cross-encoder is set; {label} is installed",
        "next: set JW_EVAL_NLI=embedded",
    )


def _installed() -> str | None:
    with card_in_use():
        card = installed_card()
        return None if card is None else label_of(card)


def _timed(model: InferenceModel) -> float:
    """Milliseconds of one pair."""
    started = time.perf_counter()
    model.infer([_PAIR])
    return (time.perf_counter() - started) * 1000


def _known(config: Config, revision: str) -> dict[tuple[str, str], InferenceThresholds]:
    if not config.database.exists():
        return shipped_entries(revision)
    with reading(config.database) as conn:
        return entries_in_force(conn, revision)


def _calibrated(known: dict[tuple[str, str], InferenceThresholds], kind: str) -> tuple[str, ...]:
    may = [entry for entry in known.values() if entry.pass_at or entry.fail_at]
    named = ", ".join(" ".join(entry.key) for entry in may)
    lines = (f"calibrated for {named}",) if named else ("calibrated for nothing",)
    if kind in {entry.kind for entry in may}:
        return lines
    return (
        *lines,
        f"not for the cases' kind, {kind}: it decides nothing alone, and vetoes",
        "next: jw-eval judge calibrate PAIRS",
    )

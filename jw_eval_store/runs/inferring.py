"""The cross-encoder of a run: chosen, with the thresholds that hold for it."""

from __future__ import annotations

from collections.abc import Iterable

from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.domain.inference import InferenceProfile, InferenceThresholds, in_force
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.judges.inference.choose import choose_inference
from jw_eval_store.judges.inference.profiles import shipped_inference_profile
from jw_eval_store.judges.inference.reader import EntailmentReader, UnavailableReader
from jw_eval_store.judges.inference.sheet import AGGREGATION
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.inference_profiles import inference_profiles


def open_reader(
    conn: Connection, settings: JudgeSettings
) -> EntailmentReader | UnavailableReader | None:
    """The reader that the settings name; none where they name none.

    One that can't be had is no crash: it says so of each answer, and lets nothing pass.
    """
    if settings.nli is None:
        return None
    try:
        model = choose_inference(settings.nli)
        entries = entries_in_force(conn, model.revision).values()
    except JwEvalError as error:
        return UnavailableReader(settings.nli, str(error))
    return EntailmentReader(
        model,
        entries,
        kind=settings.nli_kind,
        pass_at=settings.nli_pass_at,
        fail_at=settings.nli_fail_at,
    )


def entries_in_force(conn: Connection, revision: str) -> dict[tuple[str, str], InferenceThresholds]:
    """Of each kind and language the thresholds that hold: one's own before those shipped."""
    return _holding([*inference_profiles(conn), *shipped_profiles()], revision)


def shipped_entries(revision: str) -> dict[tuple[str, str], InferenceThresholds]:
    """Those that hold where there is no database."""
    return _holding(shipped_profiles(), revision)


def shipped_profiles() -> tuple[InferenceProfile, ...]:
    """What comes with the embedded model, where it is installed."""
    shipped = shipped_inference_profile()
    return () if shipped is None else (shipped,)


def _holding(
    known: Iterable[InferenceProfile], revision: str
) -> dict[tuple[str, str], InferenceThresholds]:
    return in_force(p for p in known if (p.revision, p.aggregation) == (revision, AGGREGATION))

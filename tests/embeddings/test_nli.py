"""Every sentence is held against every golden one; uncalibrated, nothing is decided."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.nli import EntailmentReader, Inference, InferenceModel


class Table(InferenceModel):
    """Contradiction where exactly one side has `no`, entailment where both are equal."""

    label, revision = "table", "1"

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        self.pairs += pairs
        return [self._infer(*pair) for pair in pairs]

    def _infer(self, premise: str, hypothesis: str) -> Inference:
        if premise == hypothesis:
            return Inference(0.98, 0.01, 0.01)
        if premise.replace(" no", "") == hypothesis.replace(" no", ""):
            return Inference(0.01, 0.01, 0.98)
        return Inference(0.05, 0.9, 0.05)


class TooShort(Table):
    def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        raise UsageError("600 tokens are too many")


@pytest.mark.parametrize(
    ("candidate", "verdict"),
    [
        ("El alma muere.", "pass"),
        ("Hola. El alma muere. Adiós.", "pass"),
        ("El alma no muere.", "fail"),
        ("El alma muere. " * 59 + "El alma no muere.", "fail"),
        ("Otra cosa.", None),
    ],
)
def test_a_calibrated_reader_decides(candidate: str, verdict: str | None) -> None:
    reader = EntailmentReader(Table(), pass_at=0.9, fail_at=0.9)
    assert reader.read("El alma muere.", candidate).verdict == verdict


@pytest.mark.parametrize(("pass_at", "fail_at"), [(None, None), (0.9, None)])
def test_it_never_passes_without_both_thresholds(
    pass_at: float | None, fail_at: float | None
) -> None:
    opinion = EntailmentReader(Table(), pass_at, fail_at).read("El alma muere.", "El alma muere.")
    assert opinion.verdict is None
    assert opinion.score == 0.98


def test_every_golden_sentence_must_be_said() -> None:
    reader = EntailmentReader(Table(), 0.9, 0.9)
    opinion = reader.read("El alma muere. Dios es uno.", "El alma muere.")
    assert (opinion.verdict, opinion.score) == (None, 0.05)


def test_the_trace_quotes_the_worst_pair() -> None:
    opinion = EntailmentReader(Table()).read("Uno. El alma muere.", "Dos. El alma no muere.")
    details = opinion.steps[0].details
    assert (details["golden"], details["candidate"]) == ("El alma muere.", "El alma no muere.")
    assert details["contradiction"] == 0.98


def test_all_pairs_are_asked() -> None:
    model = Table()
    EntailmentReader(model).read("Uno. Dos.", "Tres. Cuatro. Cinco.")
    assert len(model.pairs) == 6


def test_what_the_model_cannot_read_whole_is_undecided() -> None:
    opinion = EntailmentReader(TooShort(), 0.9, 0.9).read("Uno.", "Dos.")
    assert (opinion.verdict, opinion.reason_code) == (None, "judge_cut")

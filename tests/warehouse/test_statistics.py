"""The closed formulas against published and hand-made values."""

from __future__ import annotations

import pytest

from jw_eval_store.domain.comparisons import StoredResult
from jw_eval_store.domain.vocabulary import Verdict
from jw_eval_store.runs.statistics import (
    McNemar,
    compared_statistics,
    conclusion,
    score_difference,
)


def side(verdict: Verdict, score: float | None = None, **inputs: str) -> StoredResult:
    known = {"case": "c", "judge": "j"} | inputs
    return StoredResult("one", "a", "l3", "en", None, verdict, score, known)


@pytest.mark.parametrize(
    ("worse", "better", "exact", "mid_p"),
    [
        (5, 0, 0.0625, 0.03125),
        (0, 6, 0.03125, 0.015625),
        (2, 10, 158 / 4096, 92 / 4096),
        (3, 3, 1.0, 1 - 20 / 128),
        (0, 0, 1.0, 0.5),
        (400, 600, 2.73e-10, 2.27e-10),
    ],
)
def test_mcnemar_gives_known_values(worse: int, better: int, exact: float, mid_p: float) -> None:
    test = McNemar(worse, better)
    assert test.exact == pytest.approx(exact, rel=0.05)
    assert test.mid_p == pytest.approx(mid_p, rel=0.05)


def test_only_the_same_case_and_judge_that_decided_are_compared() -> None:
    pairs = [
        (side("pass"), side("fail")),
        (side("pass"), side("fail", judge="other")),
        (side("pass"), side("fail", case="edited")),
        (side("pass"), side("error")),
    ]
    found, _ = compared_statistics(pairs)
    assert (found["comparable"], found["other"]) == (1, 3)
    assert found["mcnemar"]["worse"] == 1


def test_it_says_that_nothing_is_comparable() -> None:
    found, words = compared_statistics([(side("pass"), side("fail", judge="other"))])
    assert found == {"comparable": 0, "other": 1}
    assert words.startswith("not comparable")


@pytest.mark.parametrize(
    ("worse", "better", "start"),
    [
        (0, 0, "no verdict changed"),
        (3, 0, "can't tell from chance: 3 worse"),
        (6, 0, "worse, and hardly by chance"),
        (1, 12, "better, and hardly by chance"),
        (9, 7, "can't tell from chance"),
    ],
)
def test_the_conclusion_is_in_words(worse: int, better: int, start: str) -> None:
    words = conclusion(McNemar(worse, better), 100)
    assert words.startswith(start)
    assert ("too few to tell" in words) == (worse == 3)


def test_scores_are_compared_by_paired_bootstrap() -> None:
    shift = [(side("pass", 0.5), side("pass", 0.6))] * 8
    assert score_difference(shift) == {
        "pairs": 8,
        "mean": pytest.approx(0.1),
        "low": pytest.approx(0.1),
        "high": pytest.approx(0.1),
    }
    mixed = [(side("pass", 0.5), side("pass", 0.5 + step / 100)) for step in range(-5, 7)]
    found = score_difference(mixed)
    assert found == score_difference(mixed)
    assert found is not None
    assert found["low"] < 0 < found["high"]
    assert found["mean"] == pytest.approx(0.005)
    # The interval of a mean of these twelve values: about 1.96 * 0.0345 / sqrt(12) on either side.
    assert found["high"] - found["low"] == pytest.approx(2 * 1.96 * 0.0345 / 12**0.5, rel=0.1)
    assert score_difference([(side("pass"), side("pass"))]) is None

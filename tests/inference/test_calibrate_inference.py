"""Thresholds of a cross-encoder: per kind and language, counted as the layer decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.inference import (
    Counted,
    InferenceProfile,
    InferenceThresholds,
    in_force,
)
from jw_eval_store.judges.inference.calibrate import (
    GRID,
    InferredPair,
    calibrate_entry,
    calibrate_inference,
    measure_inference,
)
from jw_eval_store.judges.inference.sheet import AGGREGATION
from jw_eval_store.judges.pairs import LabelledPair
from jw_eval_store.judges.statistics import wilson
from tests.embeddings.fakes import WordsEmbedder
from tests.inference.fakes import TableModel


def seen(
    label: str,
    score: float,
    contradiction: float = 0.0,
    *,
    clean: bool = True,
    kind: str = "doctrine",
    language: str = "es",
) -> InferredPair:
    pair = LabelledPair("uno", "dos", label, language, kind=kind)
    return InferredPair(pair, score, contradiction, clean)


def spread(label: str, count: int) -> list[InferredPair]:
    """Scores evenly from 0 to 1."""
    return [seen(label, n / count) for n in range(count)]


def entry(measured: list[InferredPair], wanted: float = 0.02) -> InferenceThresholds:
    return calibrate_entry("doctrine", "es", measured, wanted)


def test_pass_at_is_the_strictest_that_costs_little_of_what_the_wanted_rate_allows() -> None:
    true, others = spread("entailed", 100), [seen("neutral", 0.3 + n / 500) for n in range(200)]
    found = entry([*true, *others])
    assert found.pass_at is not None

    def passed(ones: list[InferredPair], threshold: float) -> int:
        return sum(one.score >= threshold for one in ones)

    lowest = min(t for t in GRID if passed(others, t) <= 0.02 * len(others))
    assert passed(true, found.pass_at) >= 0.95 * passed(true, lowest)
    assert passed(true, found.pass_at + 0.001) < 0.95 * passed(true, lowest)
    count = passed(others, found.pass_at)
    assert count <= 4
    assert (found.others_passed.hits, found.others_passed.total) == (count, 200)
    assert (found.others_passed.lower, found.others_passed.upper) == tuple(
        round(limit, 4) for limit in wilson(count, 200)
    )
    assert found.true_passed.hits == passed(true, found.pass_at)
    assert found.pairs == 300


def test_flagged_and_contradicting_pairs_pass_as_little_as_in_the_layer() -> None:
    others = [seen("neutral", 0.99, clean=False) for _ in range(60)]
    others += [seen("contradicted", 0.99, 0.5) for _ in range(60)]
    found = entry([*spread("entailed", 100), *others])
    assert (found.true_passed.hits, found.others_passed.hits) == (48, 0)
    assert (found.contradictions_passed.hits, found.contradictions_passed.total) == (0, 60)
    flagged = entry([seen("entailed", 0.9, clean=n > 9) for n in range(40)] + others)
    assert (flagged.true_passed.hits, flagged.true_passed.total) == (30, 40)


def test_fail_at_is_the_lowest_that_fails_few_true_pairs() -> None:
    true = [seen("same", 0.9, n / 100) for n in range(100)]
    against = [seen("contradicted", 0.1, 0.99) for _ in range(60)]
    found = entry([*true, *against])
    assert found.fail_at == pytest.approx(0.971, abs=0.0011)
    assert (found.true_failed.hits, found.true_failed.total) == (2, 100)
    assert (found.contradictions_failed.hits, found.contradictions_failed.total) == (60, 60)


@pytest.mark.parametrize(
    ("true", "others", "passes", "fails"),
    [(20, 50, True, False), (19, 50, False, False), (50, 49, False, True), (50, 19, False, False)],
)
def test_few_pairs_give_no_threshold_and_say_so(
    true: int, others: int, passes: bool, fails: bool
) -> None:
    found = entry(spread("pass", true) + [seen("fail", 0.1) for _ in range(others)])
    assert (found.pass_at is not None, found.fail_at is not None) == (passes, fails)
    assert [reason.partition(":")[0] for reason in found.reasons] == [
        *([] if passes else ["passes nothing"]),
        *([] if fails else ["fails nothing"]),
    ]
    assert all("are needed" in reason for reason in found.reasons)


@pytest.mark.parametrize(("contradicted", "expected"), [(0, 0.9), (19, 0.9), (20, 0.5)])
def test_easy_wrong_pairs_open_no_gate_that_was_shipped(contradicted: int, expected: float) -> None:
    """Beside wrong answers on buses and football every threshold looks safe."""
    others = [seen("neutral", 0.01) for _ in range(60 - contradicted)]
    others += [seen("contradicted", 0.01) for _ in range(contradicted)]
    found = calibrate_entry("doctrine", "es", spread("pass", 100) + others, 0.02, shipped=0.9)
    assert found.pass_at is not None
    assert found.pass_at == pytest.approx(expected, abs=0.05)
    assert found.true_passed.hits == sum(n / 100 >= found.pass_at for n in range(100))
    assert ("as shipped" in " ".join(found.reasons)) == (contradicted < 20)


def test_a_model_that_knows_nothing_gets_no_threshold() -> None:
    sure = [seen(label, 1.0) for label in ("pass", "fail") for _ in range(60)]
    assert entry(sure).pass_at is None
    assert "reach even 0.999" in entry(sure).reasons[0]
    wrong = [seen("pass", 0.0, 1.0) for _ in range(60)] + [seen("fail", 0.0) for _ in range(60)]
    assert entry(wrong).fail_at is None


def test_without_an_embedder_nothing_is_clean() -> None:
    pairs = [LabelledPair("El alma muere.", "El alma muere.", "pass", "es")]
    (with_one,) = measure_inference(pairs, TableModel(), WordsEmbedder())
    (without,) = measure_inference(pairs, TableModel(), None)
    assert (with_one.is_clean, without.is_clean) == (True, False)
    assert (with_one.decided(0.9, None), without.decided(0.9, None)) == ("pass", "")
    both = [seen(label, 0.9, clean=False) for label in ("pass", "fail") for _ in range(60)]
    assert "no embedder" in entry(both).reasons[0]


def test_the_guard_flags_as_in_the_layer() -> None:
    pairs = [LabelledPair("El alma muere.", "El alma no muere.", "contradicted", "es")]
    (found,) = measure_inference(pairs, TableModel(), WordsEmbedder())
    assert (found.is_clean, found.contradiction, found.score) == (False, 0.98, 0.01)
    assert found.decided(0.5, 0.9) == "fail"


def test_a_pair_that_is_too_long_is_counted_and_never_decided() -> None:
    pairs = [LabelledPair("El alma muere.", "palabra " * 9, "pass", "es")]
    (found,) = measure_inference(pairs, TableModel(window=8), WordsEmbedder())
    assert (found.score, found.contradiction, found.decided(0.5, 0.5)) == (0, 0, "")


def test_kinds_and_languages_are_apart_regions_are_not() -> None:
    measured = [seen("pass", 0.9, kind="b", language="es-mx"), seen("pass", 0.9, kind="b")]
    measured += [seen("pass", 0.9, kind="a"), seen("fail", 0.9, kind="b", language="pt")]
    profile = calibrate_inference(measured, TableModel())
    assert [(one.key, one.pairs) for one in profile.entries] == [
        (("a", "es"), 1),
        (("b", "es"), 2),
        (("b", "pt"), 1),
    ]
    assert (profile.revision, profile.aggregation) == ("sha256:table", AGGREGATION)
    assert profile.provenance["wanted_rate"] == 0.01


@pytest.mark.parametrize("wanted", [0.0, 1.0])
def test_a_rate_that_is_none_is_refused(wanted: float) -> None:
    with pytest.raises(UsageError, match="wanted rate"):
        calibrate_inference([seen("pass", 1.0)], TableModel(), wanted)
    with pytest.raises(UsageError, match="no pairs"):
        calibrate_inference([], TableModel())


def test_the_newest_entry_of_each_kind_and_language_holds() -> None:
    def profile(*entries: InferenceThresholds) -> InferenceProfile:
        return InferenceProfile(model="m", revision="r", aggregation="1", entries=entries)

    old, other = (InferenceThresholds(kind=k, language="es", pass_at=0.9) for k in ("a", "b"))
    new = InferenceThresholds(kind="a", language="es", fail_at=0.8)
    assert in_force([profile(new), profile(old, other)]) == {("a", "es"): new, ("b", "es"): other}
    with pytest.raises(ValueError, match="same kind and language"):
        profile(old, new)


def test_too_few_pairs_put_nothing_out_of_force_and_enough_do() -> None:
    def profile(entry: InferenceThresholds) -> InferenceProfile:
        return InferenceProfile(model="m", revision="r", aggregation="1", entries=(entry,))

    def counted(true: int, others: int) -> InferenceThresholds:
        return InferenceThresholds(
            kind="doctrine",
            language="es",
            true_passed=Counted(total=true),
            others_passed=Counted(total=others),
        )

    held = InferenceThresholds(kind="doctrine", language="es", pass_at=0.8)
    for few in (counted(2, 2), counted(19, 500), counted(49, 49)):
        assert list(in_force([profile(few), profile(held)]).values()) == [held]
    for enough in (counted(20, 50), counted(50, 20)):
        assert list(in_force([profile(enough), profile(held)]).values()) == [enough]


def test_long_pairs_are_failed_by_no_contradiction_as_in_the_layer() -> None:
    long = InferredPair(LabelledPair("uno", "dos", "contradicted"), 0.1, 0.99, True, may_fail=False)
    assert long.decided(0.9, 0.9) == ""
    assert replace(long, may_fail=True).decided(0.9, 0.9) == "fail"

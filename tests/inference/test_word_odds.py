"""Words of its own speak against a sentence, and never argue a contradiction away."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.judges.inference.embedded import EmbeddedModel
from jw_eval_store.judges.inference.interface import Inference
from jw_eval_store.judges.inference.reader import EntailmentReader
from jw_eval_store.judges.inference.word_odds import WithWordOdds, WordOdds, pooled
from tests.inference.fakes import TableModel

ODDS = WordOdds(intercept=4.0, each=-0.5, share=-5.0, weight=0.25)
SOURCE = "It is owned by a company of Osaka."

probabilities = st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)).map(
    lambda cut: Inference(
        min(cut) / 10_000, round((max(cut) - min(cut)) / 10_000, 4), round(1 - max(cut) / 10_000, 4)
    )
)
odds = st.floats(-1e6, 1e6)
weights = st.floats(0, 1)


@given(probabilities, odds, weights)
def test_a_pooled_opinion_is_one_of_three_and_keeps_its_contradiction(
    said: Inference, log_odds: float, weight: float
) -> None:
    found = pooled(said, log_odds, weight)
    assert sum(found) == pytest.approx(1, abs=2e-4)
    assert all(-1e-9 <= value <= 1 for value in found)
    assert found.contradiction == said.contradiction


@given(probabilities, st.tuples(odds, odds), weights)
def test_the_more_the_words_speak_for_it_the_more_it_follows(
    said: Inference, two: tuple[float, float], weight: float
) -> None:
    less, more = (pooled(said, one, weight).entailment for one in sorted(two))
    assert less <= more


@pytest.mark.parametrize(("weight", "expected"), [(0.0, 0.9), (0.5, 0.5), (1.0, 0.1)])
def test_the_weight_says_whose_opinion_it_is(weight: float, expected: float) -> None:
    found = pooled(Inference(0.9, 0.1, 0.0), -math.log(9), weight)
    assert found.entailment == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("said", "expected"),
    [("it is owned by a company", 4.0), ("it is sold by a company", 4.0 - 0.5 - 5 / 6), ("", 0.0)],
)
def test_the_words_that_the_source_has_not_are_counted(said: str, expected: float) -> None:
    assert ODDS.of(SOURCE.rstrip(".").lower().split(), said.split()) == pytest.approx(expected)


def test_where_agreement_speaks_for_nothing_only_words_of_its_own_do() -> None:
    known, strict = SOURCE.rstrip(".").lower().split(), ODDS.model_copy(update={"most": 0.0})
    assert strict.of(known, ["it", "is"]) == 0.0 < ODDS.of(known, ["it", "is"])
    assert strict.of(known, ["a", "chess", "club"]) == ODDS.of(known, ["a", "chess", "club"]) < 0


def test_a_reply_with_words_of_its_own_follows_less_than_one_without() -> None:
    sure = Inference(0.9, 0.08, 0.02)
    copied, added = "It is owned by a company.", "It is owned by a famous chess champion."
    plain = TableModel({(SOURCE, copied): sure, (SOURCE, added): sure})
    first, second = WithWordOdds(plain, ODDS).infer([(SOURCE, copied), (SOURCE, added)])
    assert second.entailment < sure.entailment < first.entailment


def test_only_kinds_that_the_card_has_figures_for_are_read_so(
    embedded: EmbeddedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_words", {"chat": ODDS})
    assert embedded.of_kind("doctrine") is embedded
    chat = EntailmentReader(embedded, kind="chat").read(
        SOURCE, "It is owned by a chess club.", "en"
    )
    other = EntailmentReader(embedded, kind="news").read(
        SOURCE, "It is owned by a chess club.", "en"
    )
    assert chat.score is not None
    assert other.score is not None
    assert chat.score != other.score
    assert chat.steps[0].model_digest == other.steps[0].model_digest == embedded.revision

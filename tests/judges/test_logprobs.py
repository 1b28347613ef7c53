"""Probabilities are read at the answer's own tokens, over the allowed labels only."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.judges.interface import LlmReply, TokenLogprob
from jw_eval_store.judges.logprobs import distribution, margin, weighted_score
from tests.judges.fakes import token

YES_NO = ("yes", "no")


def reply(*tokens: TokenLogprob | str) -> LlmReply:
    made = tuple(TokenLogprob(t, -0.01) if isinstance(t, str) else t for t in tokens)
    return LlmReply("".join(t.token for t in made), "m", logprobs=made)


def test_probabilities_are_renormalised_over_the_labels() -> None:
    found = distribution(
        reply('{"verdict": "', token("yes", {"yes": 0.6, "no": 0.2, "maybe": 0.2}), '"}'),
        "verdict",
        YES_NO,
        "yes",
    )
    assert found == pytest.approx({"yes": 0.75, "no": 0.25})


def test_labels_are_recognised_by_their_beginning() -> None:
    labels = ("supported", "contradicted")
    made = reply('{"verdict": "', token("contr", {"contr": 0.7, "supp": 0.3}), 'adicted"}')
    found = distribution(made, "verdict", labels, "contradicted")
    assert found == pytest.approx({"supported": 0.3, "contradicted": 0.7})


def test_a_beginning_of_several_labels_is_followed_as_it_was_written() -> None:
    made = reply(
        '{"verdict": "',
        token("al", {"al": 0.8, "none": 0.2}),
        token("most", {"most": 0.9, "l": 0.1}),
    )
    found = distribution(made, "verdict", ("all", "almost", "none"), "almost")
    assert found == pytest.approx({"all": 0.08, "almost": 0.72, "none": 0.2})


def test_quotes_and_blanks_may_be_in_the_label_s_token() -> None:
    glued = reply('{"verdict":', token(' "yes"', {' "yes"': 0.5, ' "no"': 0.3, " yes": 0.2}), "}")
    assert distribution(glued, "verdict", YES_NO, "yes") == pytest.approx({"yes": 0.7, "no": 0.3})
    before = reply('{"verdict"', token(': "no', {': "no': 0.9, ': "yes': 0.1}), '"}')
    assert distribution(before, "verdict", YES_NO, "no") == pytest.approx({"yes": 0.1, "no": 0.9})


def test_little_mass_on_the_labels_is_no_confidence() -> None:
    made = reply('{"verdict": "', token("yes", {"yes": 0.2, "no": 0.1, "Sure": 0.7}), '"}')
    assert distribution(made, "verdict", YES_NO, "yes") is None


def test_tokens_that_do_not_spell_the_answer_are_no_confidence() -> None:
    made = reply('{"verdict": "', token("yes", {"yes": 0.99}), '"}')
    assert distribution(made, "verdict", YES_NO, "no") is None
    assert distribution(reply('{"other": "yes"}'), "verdict", YES_NO, "yes") is None
    assert distribution(LlmReply("{}", "m"), "verdict", YES_NO, "yes") is None


def test_the_last_mention_of_the_key_counts_since_models_draft() -> None:
    made = reply(
        'I first thought {"verdict": "', token("no", {"no": 1.0}), '"} but: {"verdict": "',
        token("yes", {"yes": 0.9, "no": 0.1}), '", "reason": "not \\"verdict\\": \\"no\\""}',
    )  # fmt: skip
    assert distribution(made, "verdict", YES_NO, "yes") == pytest.approx({"yes": 0.9, "no": 0.1})


def test_a_fence_that_the_server_took_out_of_the_text_may_stay_in_the_tokens() -> None:
    made = reply('```json\n{"verdict": "', token("yes", {"yes": 0.9, "no": 0.1}), '"}\n```')
    told = replace(made, text='{"verdict": "yes"}')
    assert distribution(told, "verdict", YES_NO, "yes") == pytest.approx({"yes": 0.9, "no": 0.1})


def test_noise_is_dropped_as_it_comes() -> None:
    told = TokenLogprob.told("4", log(0.9), [("4", log(0.9)), ("5", log(0.05)), ("6", log(0.005))])
    assert [text for text, _ in told.alternatives] == ["4", "5"]


def test_rare_and_foreign_numbers_do_not_count() -> None:
    alternatives = {"4": 0.6, "3": 0.3, "100": 0.05, "85": 0.02, "-3": 0.015, "9": 0.009, "": 0.006}
    made = reply('{"score": ', token("4", alternatives), "}")
    assert weighted_score(made, 0, 10, 4) == pytest.approx((4 * 0.6 + 3 * 0.3) / 0.9)


def test_a_number_that_may_go_on_is_unknown_where_it_was_not_written() -> None:
    made = reply('{"score": ', token("9", {"9": 0.6, "1": 0.4}), "}")
    assert weighted_score(made, 0, 10, 9) == pytest.approx(9)


def test_a_number_that_has_a_token_of_its_own_is_that_number() -> None:
    made = reply('{"score": ', token("9", {"9": 0.6, "1": 0.3, "10": 0.1}), "}")
    assert weighted_score(made, 0, 10, 9) == pytest.approx(9 * 0.6 + 1 * 0.3 + 10 * 0.1)


@given(st.dictionaries(st.integers(1, 5), st.floats(0.02, 1.0), min_size=1))
def test_a_weighted_score_is_the_plain_mean_where_every_number_is_a_token(
    weights: dict[int, float],
) -> None:
    total = sum(weights.values())
    shares = {str(number): weight / total for number, weight in weights.items()}
    if min(shares.values()) < 0.01:
        return
    taken = max(weights, key=lambda number: weights[number])
    made = reply('{"score": ', token(str(taken), shares), ', "reason": "1"}')
    mean = sum(number * weight for number, weight in weights.items()) / total
    assert weighted_score(made, 1, 5, taken) == pytest.approx(mean)


@given(st.lists(st.tuples(st.text(max_size=8), st.floats(-50, 0)), max_size=12))
def test_any_tokens_give_a_distribution_or_nothing(tokens: list[tuple[str, float]]) -> None:
    made = reply('{"verdict": "', *(TokenLogprob(t, p, (("yes", p),)) for t, p in tokens))
    found = distribution(made, "verdict", YES_NO, "yes")
    assert found is None or sum(found.values()) == pytest.approx(1)


def test_the_margin_is_the_distance_between_the_two_likeliest() -> None:
    assert margin([0.5, 0.5]) == 0
    assert margin([1.0]) == 1
    assert margin([0.2, 0.7, 0.1]) == pytest.approx(0.5)

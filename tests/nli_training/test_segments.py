"""Segments: which sentence a token belongs to, and whether the other one has its word."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from jw_eval_nli import TOKENIZER, segments_of
from tokenizers import Tokenizer

TOKENS = Tokenizer.from_file(str(TOKENIZER))
TEXTS = st.text(st.sampled_from("aeábcñ 1.,-AE"), min_size=1, max_size=30)


def marked(premise: str, hypothesis: str) -> list[dict[str, int]]:
    """The segment of every token of either sentence."""
    first, second = (TOKENS.encode(t, add_special_tokens=False) for t in (premise, hypothesis))
    found = segments_of(premise, hypothesis, first.offsets, second.offsets)
    assert len(found) == len(first.ids) + len(second.ids) + 4
    split = len(first.ids) + 3
    parts = (premise, first, found[1 : split - 2]), (hypothesis, second, found[split:-1])
    return [
        {text[a:b].strip(): segment for (a, b), segment in zip(tokens.offsets, part, strict=True)}
        for text, tokens, part in parts
    ]


def test_words_of_one_sentence_only_are_marked() -> None:
    premise, hypothesis = marked("Noah built the ark.", "The ark was old.")
    assert (premise["ark"], premise["the"], premise["."]) == (0, 0, 0)
    assert (hypothesis["The"], hypothesis["ark"], hypothesis["."]) == (1, 1, 1)
    assert (premise["built"], hypothesis["was"], hypothesis["old"]) == (2, 3, 3)


def test_forms_of_a_word_count_as_the_same_but_figures_do_not() -> None:
    assert 3 not in marked("creating worlds", "created world")[1].values()
    assert 3 not in marked("Él reinará.", "el reinara")[1].values()
    assert 3 in marked("in 1914120", "in 1914121")[1].values()


@given(TEXTS, TEXTS)
def test_sides_never_mix_and_what_both_have_is_never_marked(premise: str, hypothesis: str) -> None:
    first, second = (TOKENS.encode(t, add_special_tokens=False) for t in (premise, hypothesis))
    found = segments_of(premise, hypothesis, first.offsets, second.offsets)
    sides = [one % 2 for one in found]
    assert sides == [0] * (len(first.ids) + 3) + [1] * (len(second.ids) + 1)
    assert all(a <= b for a, b in pairwise(sides))
    same = segments_of(premise, premise, first.offsets, first.offsets)
    assert set(same) <= {0, 1}
    back = segments_of(hypothesis, premise, second.offsets, first.offsets)
    assert [s + 1 for s in found[1 : len(first.ids) + 1]] == back[len(second.ids) + 3 : -1]

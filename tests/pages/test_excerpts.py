"""An excerpt holds what it was made for, at its anchors, and little else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.pages.excerpts import carrying, excerpt_positions, passages_at
from jw_eval_store.text.anchors import parse_anchor
from jw_eval_store.text.passages import SearchableText, searchable

VOCABULARY = ("bread", "salt", "river", "gate", "lamp", "stone", "seven", "never")
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1)
PASSAGES = st.lists(WORDS, min_size=1, max_size=9)


def page(texts: list[str]) -> SearchableText:
    passages = tuple(Passage(f"p{n}", text) for n, text in enumerate(texts, start=1))
    return searchable(Evidence("https://wol.jw.org/x", "captured", passages))


def excerpt(text: SearchableText, positions: tuple[int, ...]) -> SearchableText:
    return searchable(Evidence("https://wol.jw.org/x", "captured", passages_at(text, positions)))


@given(PASSAGES, st.data())
def test_a_phrase_of_the_page_stands_in_its_excerpt_too(
    words: list[list[str]], data: st.DataObject
) -> None:
    """Also one that runs over the passages' edges."""
    text = page([" ".join(part) for part in words])
    every = [word for part in words for word in part]
    start = data.draw(st.integers(0, len(every) - 1))
    phrase = " ".join(every[start : start + data.draw(st.integers(1, 6))])
    assert text.holds(phrase)
    kept = excerpt_positions(text, [((phrase,), None)])
    assert carrying(text, phrase)
    assert excerpt(text, kept).holds(phrase)
    assert list(kept) == sorted(set(kept))


@given(PASSAGES, st.integers(1, 9))
def test_a_cited_anchor_is_always_kept(words: list[list[str]], number: int) -> None:
    text = page([" ".join(part) for part in words])
    kept = excerpt_positions(text, [(("words that stand nowhere",), parse_anchor(f"p{number}"))])
    anchors = {passage.anchor for passage in passages_at(text, kept)}
    assert (f"p{number}" in anchors) == (number <= len(words))
    assert kept


def test_an_excerpt_is_what_carries_the_phrase_and_one_passage_around() -> None:
    text = page([f"line {number} of twenty" for number in range(20)])
    assert excerpt_positions(text, [(("line 7 of",), None)]) == (6, 7, 8)
    assert excerpt_positions(text, [(("line 0 of",), None)]) == (0, 1)
    assert excerpt_positions(text, [(("twenty line 9",), None)]) == (7, 8, 9, 10)
    assert excerpt_positions(text, [(("lime 7 of",), None)]) == (6, 7, 8)
    assert excerpt_positions(text, [((), None)]) == (0, 1)
    both = [(("line 3 of",), parse_anchor("p4")), (("line 15 of",), None)]
    assert excerpt_positions(text, both) == (2, 3, 4, 14, 15, 16)


def test_a_phrase_that_runs_over_many_passages_keeps_them_all() -> None:
    text = page(["one", "two", "three", "four", "five", "six"])
    anchor = parse_anchor("p1-p6")
    assert carrying(text, "one two three four five six") == (0, 1, 2, 3, 4, 5)
    assert carrying(text, "one two three four five six", anchor) == (0, 1, 2, 3, 4, 5)

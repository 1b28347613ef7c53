"""What the changes and the scenes say of a pair is right, and is the same every time."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nli_training.changes import (
    changed_pairs,
    cut_short,
    cut_short_and_changed,
    denied_negation,
    in_a_manner,
    negate,
    other_form,
    other_number,
    other_reference,
    swap_word,
    swapped_roles,
    word_lists,
)
from nli_training.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL
from nli_training.scenes import Scene, lists, random_scene, scene_pairs, told
from nli_training.vocabulary import LANGUAGES

RNG = random.Random(0)


@pytest.mark.parametrize(
    ("lang", "sentence", "opposite"),
    [
        ("es", "El alma muere con la persona.", "El alma no muere con la persona."),
        ("en", "The soul is mortal.", "The soul is not mortal."),
        ("pt", "Jesus morreu por todos.", "Jesus não morreu por todos."),
    ],
)
def test_a_negation_is_added_and_taken_away(lang: str, sentence: str, opposite: str) -> None:
    assert negate(sentence, word_lists()[lang], RNG) == opposite
    assert negate(opposite, word_lists()[lang], RNG) == sentence


def test_a_denied_negation_negates_twice() -> None:
    said = denied_negation("El alma muere.", word_lists()["es"], random.Random(1))
    assert said is not None
    assert "no muere" in said
    assert any(said.startswith(frame.split("{")[0].strip()) for frame in word_lists()["es"]["deny"])


@given(st.integers(0, 10**6))
def test_what_is_cut_short_is_the_beginning_of_a_whole_clause(seed: int) -> None:
    text, rng = "The board replaced the old office on July 1 with great care.", random.Random(seed)
    heads = ("The board replaced the old office", "The board replaced the old office on July 1")
    assert cut_short(text, word_lists()["en"], rng) in heads
    changed = cut_short_and_changed(text, word_lists()["en"], rng)
    assert changed is None or (changed not in text and not changed.endswith("care."))


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "This is the largest lake of its kind in Europe."),
        ("en", "The soul of a man does not live on in heaven."),
        ("es", "Este es el lago más grande que existe en Europa."),
        ("pt", "Os mortos e as almas não vivem com Deus no céu."),
        ("en", "He is in Rome."),
    ],
)
def test_where_a_part_says_more_than_the_whole_nothing_is_cut(lang: str, text: str) -> None:
    assert cut_short(text, word_lists()[lang], RNG) is None


def test_two_people_change_places_and_back() -> None:
    lists_es = word_lists()["es"]
    swapped = swapped_roles("Juan bautizó a Jesús.", lists_es, RNG)
    assert swapped == "Jesús bautizó a Juan."
    assert swapped_roles(swapped, lists_es, RNG) == "Juan bautizó a Jesús."
    assert swapped_roles("Pedro y Juan fueron al templo.", lists_es, RNG) is None


@given(st.integers(0, 10**6), st.sampled_from(LANGUAGES))
def test_numbers_and_references_become_others(seed: int, lang: str) -> None:
    rng, book = random.Random(seed), word_lists()[lang]["books"][0]
    year = other_number("Era 1914.", word_lists()[lang], rng)
    assert year is not None
    assert re.fullmatch(r"Era [1-9]\d*\.", year)
    assert year != "Era 1914."
    text = f"{book} 3:16"
    reference = other_reference(text, word_lists()[lang], rng)
    assert reference is not None
    assert reference != text


@pytest.mark.parametrize(
    ("lang", "word", "figure"),
    [
        ("en", "She won ten games.", "She won 10 games."),
        ("en", "It came third.", "It came 3rd."),
        ("es", "Son doce meses.", "Son 12 meses."),
        ("pt", "Eram três navios.", "Eram 3 navios."),
    ],
)
def test_a_number_takes_its_other_form_and_back(lang: str, word: str, figure: str) -> None:
    assert other_form(word, word_lists()[lang], RNG) == figure
    assert other_form(figure, word_lists()[lang], RNG) == word
    assert other_form("3:16", word_lists()[lang], RNG) is None


def test_a_manner_is_added_to_what_is_done_and_to_no_denial() -> None:
    lists_pt = word_lists()["pt"]
    said = in_a_manner("Um homem está cortando pão", lists_pt, RNG)
    assert said in [f"Um homem está {manner} cortando pão" for manner in lists_pt["manners"]]
    assert in_a_manner("Um homem não está cortando pão", lists_pt, RNG) is None
    assert in_a_manner("Um homem corta pão", lists_pt, RNG) is None


def test_what_was_done_in_a_manner_was_done() -> None:
    said = [
        p for s in range(40) for p in changed_pairs("A man is singing", "en", "g", random.Random(s))
    ]
    dropped = [p for p in said if p.source == "change:manner dropped"]
    assert dropped
    assert {(p.hypothesis, p.label) for p in dropped} == {("A man is singing", ENTAILMENT)}
    added = {(p.hypothesis, p.label) for p in said if p.source == "change:manner"}
    assert added == {(p.premise, NEUTRAL) for p in dropped}


@given(st.text(max_size=40), st.sampled_from(["alma", "no", "a.b"]))
def test_a_word_is_swapped_only_where_it_stands_once_and_whole(text: str, word: str) -> None:
    new = swap_word(text, word, "\0")
    found = re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text)
    assert (new is not None) == (len(found) == 1)
    assert new is None or new.replace("\0", word) == text


def test_the_lists_hold_words_only() -> None:
    def words(value: object) -> list[object]:
        if isinstance(value, dict):
            return [w for v in value.values() for w in words(v)]
        return [w for v in value for w in words(v)] if isinstance(value, list) else [value]

    assert all(isinstance(word, str) for word in words(word_lists()) + words(lists()))
    assert set(word_lists()) == set(LANGUAGES)


def test_scenes_refer_to_entries_that_exist() -> None:
    for part, entries in lists().items():
        for key, entry in entries.items():
            assert set(LANGUAGES) <= set(entry), key
            assert entry.get("up", key) in entries, (part, key)
            assert entry.get("against", key) in entries, (part, key)


@given(st.integers(0, 10**6), st.sampled_from(LANGUAGES))
def test_scenes_give_all_classes_and_never_the_same_pair_two_ways(seed: int, lang: str) -> None:
    pairs = list(scene_pairs(random.Random(seed), lang))
    assert {pair.label for pair in pairs} == {ENTAILMENT, NEUTRAL, CONTRADICTION}
    classes: dict[tuple[str, str], int] = {}
    for pair in pairs:
        assert classes.setdefault((pair.premise, pair.hypothesis), pair.label) == pair.label
    assert list(scene_pairs(random.Random(seed), lang)) == pairs


@given(st.integers(0, 10**6))
def test_animals_do_what_animals_do(seed: int) -> None:
    scene = random_scene(random.Random(seed))
    if scene.who in ("dog", "browndog", "cat", "horse", "animal"):
        assert lists()["do"][scene.do]["by"] == "all"


def test_a_scene_is_told_and_denied() -> None:
    scene = Scene("man", "guitar", "street")
    assert told(scene, "es", "plain") == "Un hombre está tocando la guitarra en la calle"
    assert told(scene, "en", "none") == "No man is playing the guitar in the street"
    assert told(scene, "pt", "passive") == "O violão está sendo tocado por um homem na rua"


@given(st.integers(0, 10**6))
def test_changed_pairs_differ_from_their_sentence_and_keep_its_group(seed: int) -> None:
    text = "Jesús murió antes que Pedro, según Juan 3:16, y todos los hombres no lo vieron 3 veces."
    for pair in changed_pairs(text, "es", "group", random.Random(seed)):
        assert pair.premise != pair.hypothesis or pair.source == "change:copy"
        assert text in (pair.premise, pair.hypothesis)
        assert pair.group == "group"

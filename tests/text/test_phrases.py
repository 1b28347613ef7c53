"""Phrases are found as whole words; likeness only explains."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.evidence import Passage
from jw_eval_store.text.normal import normal
from jw_eval_store.text.phrases import contains, find_keywords, nearest_passage


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Porque tanto amó Dios al mundo", "Amó  Dios"),
        ("La noche no llegó", "no"),
        ("Je·hoʹvah es Dios", "Jehovah"),
        ("¿Quién es Dios?", "¡Dios"),
        ("Es Dios, sin duda", "¿Es Dios"),
        ("la «verdad» os hará", "“verdad”"),
        ("l'âme meurt", "âme"),
        ("God's name", "God"),
        ("神是爱", "是"),
        ("no-violento", "violento"),
        ("Juan 3:16.", "3:16"),
        ("un no y otro noche no", "no"),
    ],
)
def test_whole_words_are_found(text: str, phrase: str) -> None:
    assert contains(normal(text), phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("la noche", "no"),
        ("el alma inmortal", "mortal"),
        ("the soul can't die", "the soul can"),
        ("the soul can’t die", "can"),
        ("Juan 3:16", "3:1"),
        ("años", "año"),
        ("ano nuevo", "año"),
        ("क्या", "क"),
        ("lo que es, ¿no?", "es, no"),
    ],
)
def test_parts_of_words_and_other_words_are_not(text: str, phrase: str) -> None:
    assert not contains(normal(text), phrase)


@pytest.mark.parametrize("phrase", ["", " ", "\u200b", "·", "¿", "\u00ad¡"])
def test_a_phrase_of_nothing_is_never_found(phrase: str) -> None:
    assert not contains(normal("cualquier texto ¿ ¡ ·"), phrase)


def test_keywords_come_back_in_the_order_given() -> None:
    found = find_keywords("Podría  ser, supuestamente.", ["supuestamente", "acaso", "podría ser"])
    assert found == ("supuestamente", "podría ser")


@given(st.lists(st.text("abñé1", min_size=1, max_size=4), min_size=1, max_size=8), st.data())
def test_any_run_of_words_is_found_in_its_text(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    assert contains(normal(" ".join(words)), " ".join(words[start:end]))


PASSAGES = (
    Passage("v1:1:1", "En el principio creó Dios los cielos y la tierra."),
    Passage("v1:1:2", "El alma es inmortal, según dicen. Nadie lo ha visto."),
    Passage("", "·"),
)


def test_the_nearest_passage_is_located_with_its_words_as_written() -> None:
    nearest = nearest_passage(PASSAGES, "el alma es mortal")
    assert nearest is not None
    assert nearest.passage.anchor == "v1:1:2"
    assert nearest.score > 85
    assert nearest.text.startswith("El alma es inmortal,")
    assert "Nadie" not in nearest.text


def test_a_short_passage_does_not_win_by_being_part_of_the_phrase() -> None:
    nearest = nearest_passage((Passage("", "el"), *PASSAGES), "creó Dios el cielo y la tierra")
    assert nearest is not None
    assert nearest.passage.anchor == "v1:1:1"


def test_there_is_no_nearest_passage_in_no_text() -> None:
    assert nearest_passage((Passage("", "·"),), "algo") is None
    assert nearest_passage((), "algo") is None

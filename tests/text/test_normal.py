"""The normal form finds what people read as the same words, and keeps apart what they don't."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.text.normal import normal, unmarked


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Dios\u00a0amó\u202ftanto\n\tal  mundo ", "dios amó tanto al mundo"),
        ("Je·hoʹvah", "jehovah"),
        ("Je\u00adho\u200bvá\ufeff", "jehová"),
        ("“Dios” ‘amó’ «tanto»", '"dios" \'amó\' "tanto"'),
        ("3:16–18 — fin", "3:16-18 - fin"),
        ("AMO\u0301", "amó"),
        ("ﬁn Straße", "fin strasse"),
        ("God´s", "god's"),
        ("\u200b\u00ad \ufeff", ""),
    ],
)
def test_spellings_that_read_alike_become_one(written: str, expected: str) -> None:
    assert normal(written) == expected


@pytest.mark.parametrize(("one", "other"), [("año", "ano"), ("amó", "amo"), ("¿qué?", "qué?")])
def test_what_tells_words_apart_stays(one: str, other: str) -> None:
    assert normal(one) != normal(other)


def test_an_accent_parted_from_its_letter_by_a_soft_hyphen_is_joined() -> None:
    assert normal("an\u00ad\u0303o") == normal("año")


def test_every_character_that_changes_is_stable_alone_and_before_an_accent() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if normal(character) == character and not unicodedata.combining(character):
            continue
        for text in (character, f"a{character}\u0301", f"\u0345{character}"):
            if not text.isascii():
                assert normal(normal(text)) == normal(text), hex(code)


@given(st.text())
def test_the_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normal(normal(text)) == normal(text)


@given(st.text(), st.text())
def test_white_space_between_texts_does_not_depend_on_its_kind(one: str, other: str) -> None:
    assert normal(f"{one} {other}") == normal(f"{one}\u00a0\n{other}")


def test_unmarked_text_keeps_what_people_read() -> None:
    assert unmarked("«Je·hoʹvah»  —\u00a0Sal\u00admo") == "«Jehovah» — Salmo"

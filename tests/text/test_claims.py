"""A claim turned round is named: by negator, number or name."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest

from jw_eval_store.domain.evidence import Passage
from jw_eval_store.text.claims import claim_difference
from jw_eval_store.text.phrases import nearest_passage


@pytest.mark.parametrize(
    ("phrase", "located", "language", "kind"),
    [
        ("El alma es mortal", "El alma es inmortal", "es", "negation"),
        ("the soul dies", "the soul never dies", "en", "negation"),
        ("they can die", "they can't die", "en", "negation"),
        ("a alma não morre", "a alma morre", "pt", "negation"),
        ("los muertos nada saben", "los muertos saben mucho", "es", "negation"),
        ("reinará 1000 años", "reinará 1.500 años", "es", "number"),
        ("durante siete días", "durante ocho días", "es", "number"),
        ("Salmo 83:18", "Salmo 83:16", "es", "number"),
        ("cuando Pedro lo negó", "cuando Judas lo negó", "es", "name"),
        ("Jesus wept there", "Moses wept there", "en", "name"),
        ("oramos a Jehová siempre", "oramos siempre", "es", "name"),
    ],
)
def test_a_changed_claim_is_named(phrase: str, located: str, language: str, kind: str) -> None:
    difference = claim_difference(phrase, located, language)
    assert difference is not None
    assert difference.startswith(kind)


@pytest.mark.parametrize(
    ("phrase", "located", "language"),
    [
        ("Dios amó tanto al mundo", "porque Dios amó mucho al mundo", "es"),
        ("viveu no mundo", "viveu em todo o mundo", "pt"),
        ("wages of death", "wages of sin", "en"),
        ("no muere", "nunca muere", "es"),
        ("Je·hoʹvah es Dios", "Jehovah es nuestro dios", "es"),
        ("same words", "same words", "en"),
    ],
)
def test_other_wording_is_no_changed_claim(phrase: str, located: str, language: str) -> None:
    assert claim_difference(phrase, located, language) is None


def test_a_negator_just_before_or_after_the_likeliest_words_counts() -> None:
    nearest = nearest_passage(
        (Passage("", "Sabemos que el alma no muere jamás."),), "el alma muere"
    )
    assert nearest is not None
    difference = claim_difference("el alma muere", nearest.text, "es")
    assert difference is not None
    assert "negation" in difference
    assert "passage" in difference


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_negators_are_found_however_their_accents_are_written(form: Literal["NFC", "NFD"]) -> None:
    denied = unicodedata.normalize(form, "O padeiro na\u0303o levou se\u00adte pa\u0303es")
    assert claim_difference("O padeiro levou sete pães", denied, "pt") == (
        "negation: “não” only in the passage"
    )


@pytest.mark.parametrize(
    ("before", "now", "language", "difference"),
    [
        ("The baker sleeps.", "That baker sleeps.", "en", None),
        ("Los que siembran cosechan.", "Quienes siembran cosechan.", "es", None),
        ("Peter wrote it.", "Paul wrote it.", "en", "name: “Peter” against “Paul”"),
        ("He slept until noon.", "He slept until 7.", "en", "number: none against “7”"),
        ("Anna read it to Peter.", "Anna read it.", "en", "name: “Peter” against none"),
        ("He came back.", "He came back never.", "en", "negation: “never” only in the passage"),
    ],
)
def test_whole_passages_are_compared_to_their_ends(
    before: str, now: str, language: str, difference: str | None
) -> None:
    assert claim_difference(before, now, language, whole=True) == difference

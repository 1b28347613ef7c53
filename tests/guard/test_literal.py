"""Only what says the golden answer's own words may pass, and no inversion ever does."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jw_eval_store.domain.matching import LiteralAgreement, SentenceMatch, TopicMatch
from jw_eval_store.judges.literal import difference, near_literal
from jw_eval_store.judges.sentences import split_sentences
from jw_eval_store.judges.word_guard import WordGuard
from tests.guard.inversions import INVERSIONS


def matched(golden: str, candidate: str) -> TopicMatch:
    """Golden sentences matched in order, as the nearest ones would be; the last takes the rest."""
    said = split_sentences(candidate)
    matches = [
        SentenceMatch(
            golden=sentence,
            candidate=said[min(i, len(said) - 1)],
            positions=(min(i, len(said) - 1),),
            cosine=1.0,
        )
        for i, sentence in enumerate(split_sentences(golden))
    ]
    return TopicMatch(score=1.0, cosine=1.0, matches=tuple(matches), sentences=said)


def agreement(golden: str, candidate: str, language: str) -> LiteralAgreement:
    topic, guard = matched(golden, candidate), WordGuard()
    return guard.agreement(topic, guard.flags(topic, language), language)


@pytest.mark.parametrize(("language", "golden", "candidate"), INVERSIONS)
def test_an_inversion_never_agrees(language: str, golden: str, candidate: str) -> None:
    assert not agreement(golden, candidate, language).agrees


@pytest.mark.parametrize(("language", "golden", "candidate"), INVERSIONS)
def test_an_inversion_never_agrees_inside_a_longer_answer(
    language: str, golden: str, candidate: str
) -> None:
    assert not agreement(golden, f"{golden} {candidate}", language).agrees


@pytest.mark.parametrize(
    ("language", "golden", "candidate"),
    [
        ("es", "El alma muere.", "El alma muere."),
        ("es", "La Biblia enseña que el alma muere.", "Las Escrituras enseñan que el alma muere."),
        ("es", "Jehová es el único Dios verdadero.", "Jehová es el único Dios verdadero"),
        ("es", "Una persona que muere no sabe nada.", "Las personas que mueren no saben nada."),
        (
            "es",
            "Según Hechos 15:29, la sangre no se come.",
            "Según Hch 15:29 la sangre no se come.",
        ),
        ("en", "A man is playing a guitar.", "The man is playing the guitar."),
        ("en", "God’s Kingdom is a real government.", "God's Kingdom is a real government"),
        (
            "en",
            "The dead know nothing, but God remembers.",
            "The dead know nothing, but God remembers",
        ),
        ("pt", "A alma morre.", "A alma morre!"),
        (
            "pt",
            "Os mortos não sabem nada. A alma morre.",
            "Os mortos não sabem nada. A alma morre.",
        ),
    ],
)
def test_the_same_words_agree(language: str, golden: str, candidate: str) -> None:
    found = agreement(golden, candidate, language)
    assert found.agrees, found.reason


def test_what_hangs_on_nothing_may_be_left_out() -> None:
    golden = "Many minerals have a green color, including the emerald."
    assert difference(golden, "Many minerals have a green color", "en") is None


@pytest.mark.parametrize(
    ("kept", "lost", "language"),
    [
        ("When a person dies, the soul", "dies too.", "en"),
        ("God does not punish in hell; they are", "destroyed.", "en"),
        ("The Kingdom in heaven will rule over", "the earth.", "en"),
        ("Only 144,000 go to heaven, and", "the rest live on earth.", "en"),
        ("Cuando una persona muere, el alma", "muere.", "es"),
        ("El Reino de Dios es un gobierno en el cielo que gobernará", "la tierra.", "es"),
        ("Jehová creó a Jesús antes que todas las", "demás cosas.", "es"),
        ("Quando uma pessoa morre, a alma", "também morre.", "pt"),
    ],
)
def test_a_sentence_cut_in_the_middle_never_agrees(kept: str, lost: str, language: str) -> None:
    assert difference(f"{kept} {lost}", kept, language)


@pytest.mark.parametrize(
    ("golden", "said", "language"),
    [
        (
            "Only 144,000 go to heaven, and the rest live on earth.",
            "Only 144,000 go to heaven.",
            "en",
        ),
        ("Los muertos no saben nada, porque dejan de existir.", "Los muertos no saben nada.", "es"),
        ("Duas mulheres estão dançando alegremente.", "Duas mulheres estão dançando.", "pt"),
    ],
)
def test_a_clause_or_an_adverb_at_the_end_may_be_left_out(
    golden: str, said: str, language: str
) -> None:
    assert difference(golden, said, language) is None


def test_a_reason_quotes_what_differs() -> None:
    assert "Hijo de" in str(difference("Jesús es el Hijo de Dios.", "Jesús es Dios.", "es"))
    assert "“siempre”" in str(difference("El alma muere.", "El alma siempre muere.", "es"))


def test_another_language_goes_to_the_judge() -> None:
    found = agreement("El alma muere con la persona.", "The soul dies with the person.", "es")
    assert "another language" in found.reason


@pytest.mark.parametrize("language", ["fr", "und", "ase"])
def test_in_a_language_without_word_lists_only_the_same_words_agree(language: str) -> None:
    golden = "L'âme ne meurt pas quand le corps meurt."
    assert agreement(golden, golden, language).agrees
    assert not agreement(golden, "L'âme meurt quand le corps meurt.", language).agrees
    assert not agreement(golden, "L'âme ne meurt pas.", language).agrees


def test_a_regional_language_is_its_language() -> None:
    assert agreement("La persona que muere calla.", "Una persona que muere calla", "es-mx").agrees


def test_an_answer_that_says_more_goes_to_the_judge() -> None:
    found = agreement("El alma muere.", "El alma muere. Todo lo anterior es falso.", "es")
    assert found.reason == "says more: “Todo lo anterior es falso.”"


@pytest.mark.parametrize(
    "candidate",
    [
        "¬ El alma muere.",
        "~~El alma muere.~~",
        "El alma muere 👎",
        "<del>El alma muere</del>",
        "El alma muere?",
        "El̶ a̶lma m̶uere",
        "El аlma muere",
        "El alma ≠ muere",
    ],
)
def test_signs_and_letters_that_look_alike_go_to_the_judge(candidate: str) -> None:
    assert not agreement("El alma muere.", candidate, "es").agrees


@pytest.mark.parametrize(
    "candidate",
    ["**El alma** muere!", "— «El alma muere»", "# El alma muere", "El al\u00adma muere"],
)
def test_punctuation_and_markdown_say_nothing(candidate: str) -> None:
    assert agreement("El alma muere.", candidate, "es").agrees


def test_saying_it_twice_is_not_more() -> None:
    assert agreement("El alma muere.", "El alma muere. El alma muere.", "es").agrees


_WORDS = [
    "alma",
    "muere",
    "no",
    "Dios",
    "Jesús",
    "Hijo",
    "de",
    "es",
    "el",
    "cielo",
    "y",
    "pero",
    "7",
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_WORDS), min_size=3, max_size=9), st.data())
def test_adding_a_word_never_agrees(words: list[str], data: st.DataObject) -> None:
    golden = " ".join(words)
    extra = data.draw(st.sampled_from(["jamás", "mentira", "Satanás", "tampoco", "1914", "quizás"]))
    place = data.draw(st.integers(0, len(words)))
    candidate = " ".join([*words[:place], extra, *words[place:]])
    assert difference(golden, candidate, "es") is not None


def test_reasons_of_near_literal_come_from_flags_first() -> None:
    topic = matched("El alma muere.", "El alma no muere.")
    flags = WordGuard().flags(topic, "es")
    assert near_literal(topic, flags, "es").reason.startswith("polarity")
    assert json.loads(flags[0].model_dump_json())["candidate"] == "El alma no muere."

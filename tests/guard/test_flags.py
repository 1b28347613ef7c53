"""Each check finds its kind of difference, names it, and stays quiet where there is none."""

from __future__ import annotations

import pytest

from jw_eval_store.domain.matching import FlagKind, SentenceMatch
from jw_eval_store.judges.guard.guard import flags
from jw_eval_store.judges.guard.pairs import pair_of
from jw_eval_store.judges.guard.polarity import negated
from jw_eval_store.judges.guard.words import language_of


def kinds(golden: str, candidate: str, language: str = "es") -> set[FlagKind]:
    match = SentenceMatch(golden=golden, candidate=candidate, positions=(0,), cosine=0.9)
    return {flag.kind for flag in flags([match], language)}


@pytest.mark.parametrize("rule", ["***", "---", "...", "\u200b"])
def test_a_line_without_a_word_differs_in_nothing_that_it_says(rule: str) -> None:
    assert kinds(rule, rule) == set()
    assert kinds("El alma muere.", rule) == set()
    assert "polarity" in kinds(rule, "El alma no muere.")


@pytest.mark.parametrize(
    ("kind", "language", "golden", "candidate"),
    [
        ("polarity", "es", "El alma muere.", "El alma no muere."),
        ("polarity", "es", "El alma muere.", "El alma jamás muere."),
        ("polarity", "es", "La Biblia no enseña que arda.", "La Biblia enseña que no arda."),
        ("polarity", "es", "Cristo reina.", "Es mentira que Cristo reina."),
        ("polarity", "en", "He can praise God.", "He can't praise God."),
        ("polarity", "en", "He can praise God.", "He ca n't praise God."),
        ("polarity", "pt", "Os mortos sabem.", "Os mortos não sabem."),
        ("antonym", "es", "El alma es mortal.", "El alma es inmortal."),
        ("antonym", "en", "They are conscious.", "They are unconscious."),
        ("antonym", "pt", "O Reino fica no céu.", "O Reino fica no inferno."),
        ("number", "es", "Son 144.000 personas.", "Son 144 personas."),
        ("number", "en", "It began in 1914.", "It began in 1918."),
        ("number", "pt", "Reinará por mil anos.", "Reinará por dez anos."),
        ("reference", "es", "Lo dice Hechos 15:29.", "Lo dice Hechos 15:28."),
        ("reference", "en", "John 3:16 says so.", "Mark 3:16 says so."),
        ("name", "es", "Lo dijo Pablo en Roma.", "Lo dijo Pedro en Roma."),
        ("name", "en", "So Gabriel spoke to Mary.", "So Michael spoke to Mary."),
        ("qualifier", "es", "Solo Jehová es Dios.", "Jehová es Dios."),
        ("qualifier", "es", "Muchos creen que arde.", "Que arde."),
        ("qualifier", "es", "El Reino gobernará.", "El Reino gobierna."),
        ("qualifier", "en", "The soul dies.", "Does the soul die?"),
        ("qualifier", "pt", "Talvez seja assim.", "Seja assim."),
    ],
)
def test_a_difference_is_flagged(
    kind: FlagKind, language: str, golden: str, candidate: str
) -> None:
    assert kind in kinds(golden, candidate, language)
    assert kind in kinds(candidate, golden, language)


@pytest.mark.parametrize(
    ("language", "golden", "candidate"),
    [
        ("es", "Los muertos no saben nada.", "Los muertos nada saben."),
        ("es", "Dios creó la Tierra.", "Jehová creó la Tierra."),
        ("es", "La Biblia lo dice.", "Las Escrituras lo dicen."),
        ("es", "Son 144.000.", "Son 144,000."),
        ("es", "Son 144 mil.", "Son ciento cuarenta y cuatro mil."),
        ("es", "Lo dice 1 Pedro 3:15.", "Lo dice 1 Ped. 3:15."),
        ("es", "Sin embargo, muere.", "No obstante, muere."),
        ("en", "It lasts a thousand years.", "It lasts 1,000 years."),
        ("en", "It is the third one.", "It is the 3rd one."),
        ("en", "It isn't so.", "It is not so."),
        ("pt", "O homem está no céu.", "O homem está no céu."),
        ("pt", "Jeová criou tudo.", "Deus criou tudo."),
    ],
)
def test_the_same_said_otherwise_is_not_flagged(language: str, golden: str, candidate: str) -> None:
    assert kinds(golden, candidate, language) == set()


def test_a_flag_names_both_sentences_and_the_difference() -> None:
    match = SentenceMatch(golden="Son 144.000.", candidate="Son 144.", positions=(0,), cosine=0.9)
    (flag,) = flags([match], "es")
    assert (flag.golden, flag.candidate) == ("Son 144.000.", "Son 144.")
    assert flag.difference == "144000 against 144"


@pytest.mark.parametrize(
    ("language", "sentence", "heads"),
    [
        ("es", "Los muertos no saben nada.", ["saber"]),
        ("es", "No tiene rey ni súbditos.", ["rey", "súbdito"]),
        ("es", "Sin embargo, muere.", []),
        ("en", "The soul is not a ghost.", ["ghost"]),
        ("pt", "Ele está no templo.", []),
        ("pt", "Não há ninguém no templo.", ["templo"]),
    ],
)
def test_negators_know_their_scope(language: str, sentence: str, heads: list[str]) -> None:
    assert negated(pair_of(sentence, sentence, language).golden) == heads


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Según las Escrituras, cuando una persona muere deja de existir.", "es"),
        ("The dead are not conscious of anything.", "en"),
        ("Os mortos não estão conscientes de nada.", "pt"),
        ("Jehová.", "und"),
    ],
)
def test_a_sentence_shows_its_language(sentence: str, language: str) -> None:
    assert language_of(sentence, "pt") == ("pt" if language == "und" else language)


def test_invisible_characters_hide_no_negation() -> None:
    assert "polarity" in kinds("El alma muere.", "El alma n\u200bo muere.")
    assert "polarity" in kinds("El alma muere.", "El alma n\u00ado muere.")


@pytest.mark.parametrize(
    ("firm", "golden", "candidate"),
    [
        (True, "El alma muere.", "El alma no muere."),
        (True, "El alma es mortal.", "El alma es inmortal."),
        (True, "Reinará por años.", "Reinará por diez años."),
        (True, "Lo dice la carta.", "Lo dice Hechos 15:29."),
        (True, "Lo dijo en Roma.", "Lo dijo Pedro en Roma."),
        (False, "Lo dijo Pedro en Roma.", "Lo dijo en Roma."),
        (False, "Reinará por diez años.", "Reinará por años."),
        (False, "Los muertos no saben nada.", "Los muertos están inconscientes."),
        (False, "Solo Jehová es Dios.", "Jehová es Dios."),
    ],
)
def test_what_is_added_or_turned_round_is_firm_and_what_is_left_out_is_not(
    firm: bool, golden: str, candidate: str
) -> None:
    match = SentenceMatch(golden=golden, candidate=candidate, positions=(0,), cosine=0.9)
    found = flags([match], "es")
    assert found
    assert any(flag.firm for flag in found) == firm


@pytest.mark.parametrize(
    ("golden", "candidate", "language", "firm"),
    [
        (
            "When a person dies, the soul dies too.",
            "When a person dies, the soul may die too.",
            "en",
            True,
        ),
        ("Jehová creó todas las cosas.", "Jehová quizás creó todas las cosas.", "es", True),
        ("Os cristãos não guerreiam.", "Alguns cristãos não guerreiam.", "pt", True),
        ("Many people may doubt it.", "Some people may doubt it.", "en", False),
        ("The soul may die.", "The soul dies.", "en", False),
    ],
)
def test_what_is_said_outright_and_hedged_in_the_answer_is_a_firm_difference(
    golden: str, candidate: str, language: str, firm: bool
) -> None:
    match = SentenceMatch(golden=golden, candidate=candidate, positions=(0,), cosine=1.0)
    found = [flag for flag in flags([match], language) if flag.kind == "qualifier"]
    assert any(flag.firm for flag in found) == firm

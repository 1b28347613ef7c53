"""Nothing of an answer is lost when it is cut into sentences, and the nearest are found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.judges.sentences import SentenceComparer, split_sentences
from tests.embeddings.fakes import WordsEmbedder


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("El alma muere. No sabe nada.", ["El alma muere.", "No sabe nada."]),
        ("Según 1 Ped. 3:15, hay que responder. Así es.", None),
        ("Véase Mat. 24:14. Fin.", ["Véase Mat. 24:14.", "Fin."]),
        ("El Sr. Pérez vino. Se fue.", ["El Sr. Pérez vino.", "Se fue."]),
        ("J. R. Smith wrote it. He left.", ["J. R. Smith wrote it.", "He left."]),
        ("In 607 B.C.E. Jerusalem fell.", ["In 607 B.C.E. Jerusalem fell."]),
        ("Dijo: «No. Nunca.» Luego calló.", ["Dijo: «No.", "Nunca.»", "Luego calló."]),
        ("¿Es cierto? ¡Sí! Lo es.", ["¿Es cierto?", "¡Sí!", "Lo es."]),
        ("Son 144.000 personas. 12 apóstoles.", ["Son 144.000 personas.", "12 apóstoles."]),
        ("Claro que no. El alma muere.", ["Claro que no.", "El alma muere."]),
        (
            "presentan a Jehová, el único\ndios de todos",
            ["presentan a Jehová, el único dios de todos"],
        ),
        ("Título\nEl alma muere.", ["Título", "El alma muere."]),
        ("- uno\n- dos. Tres\n\nCuatro", ["- uno", "- dos.", "Tres", "Cuatro"]),
        ("1. Primero. Segundo", ["1. Primero.", "Segundo"]),
        ("", []),
        ("…", ["…"]),
    ],
)
def test_sentences(text: str, sentences: list[str] | None) -> None:
    expected = sentences or (["Según 1 Ped. 3:15, hay que responder.", "Así es."] if text else [])
    assert list(split_sentences(text)) == expected


def test_a_wrapped_line_does_not_end_a_sentence() -> None:
    text = (
        "Las Escrituras presentan a Jehová como el único Dios verdadero, mientras que\n"
        "Jesús es su Hijo."
    )
    assert len(split_sentences(text)) == 1


PIECES = st.lists(
    st.sampled_from(
        [
            "El alma muere",
            "no",
            ".",
            "?",
            "…",
            "\n",
            "\n\n",
            " ",
            "1 Ped.",
            "3:16",
            "«",
            "»",
            "- ",
            "A.",
        ]
    )
)


@given(st.one_of(PIECES.map("".join), st.text()))
def test_nothing_is_lost(text: str) -> None:
    joined = "".join("".join(split_sentences(text)).split())
    assert joined == "".join(text.split())


@given(PIECES.map("".join))
def test_no_sentence_is_empty(text: str) -> None:
    assert all(sentence.strip() for sentence in split_sentences(text))


def test_each_golden_sentence_finds_its_match() -> None:
    golden = "El alma muere. El Reino es un gobierno."
    candidate = "Hola. El Reino es un gobierno. El alma muere. Adiós."
    topic = SentenceComparer(WordsEmbedder()).compare(golden, candidate)
    assert [m.candidate for m in topic.matches] == ["El alma muere.", "El Reino es un gobierno."]
    assert topic.score == 1.0
    assert topic.cosine < 1.0
    assert len(topic.sentences) == 4


def test_a_match_may_span_two_sentences() -> None:
    topic = SentenceComparer(WordsEmbedder()).compare(
        "El alma muere y no sabe nada.", "El alma muere. Y no sabe nada. Otra cosa distinta."
    )
    assert topic.matches[0].positions == (0, 1)


def test_all_texts_are_asked_for_at_once() -> None:
    embedder = WordsEmbedder()
    SentenceComparer(embedder).compare("Uno. Dos.", "Tres. Cuatro.")
    assert len(embedder.asked) == 7

"""Sentences without a blank between them are told apart, and nothing else is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.judges.inference.plain import apart
from jw_eval_store.judges.inference.sheet import statements

SENTENCES = (
    "El alma muere.", "Los muertos no saben nada.", "¿Hay un infierno de fuego?",
    "No hay un infierno.", "¡Así es Jehová!", "Él lo dijo en Ezequiel 18:4.",
    "A los muertos los resucitará (Juan 5:28,29).", "É verdade que a alma morre.",
    "The dead aren't aware.", "It says so in Ecclesiastes 9:5-10.", "Quien reina es Dios.",
)  # fmt: skip
WHOLE = (
    "Mat.5:3", "1.5", "144.000", "www.jw.org", "Jw.org", "JW.ORG", "Watchtower.Org", "v.4",
    "https://wol.jw.org/es/wol.Html?a.B", "ana.Ruiz@jw.org", "README.md", "Node.js", "os.Path()",
    "J.R.R.", "J.R.R.Tolkien", "EE.UU.", "EE.UU.Son", "a.C.El", "p.ej.Así", "i.e.The", "s.XIX",
    "Sr.Pérez", "Dr.King", "Ph.D", "No.5", "Gén.2:7", "1Ped.3:15", "muere.no", "alma...que",
    "B.C.E.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("El alma muere.No hay infierno.", ("El alma muere.", "No hay infierno.")),
        ("¿Sufren los muertos?No saben nada.", ("¿Sufren los muertos?", "No saben nada.")),
        ("Lo hizo Dios.«Polvo eres» dice.", ("Lo hizo Dios.", "«Polvo eres» dice.")),
        ("Está en Ezequiel 18:4.El alma muere.", ("Está en Ezequiel 18:4.", "El alma muere.")),
        ("The dead aren't.They know nothing.", ("The dead aren't.", "They know nothing.")),
        ("el alma muere no hay infierno", ("el alma muere no hay infierno",)),
    ],
)
def test_a_sentence_ends_where_the_next_one_begins(text: str, found: tuple[str, ...]) -> None:
    assert statements(text) == found


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6))
def test_run_on_sentences_are_read_as_those_with_blanks(sentences: list[str]) -> None:
    assert statements("".join(sentences)) == statements(" ".join(sentences))


@given(st.lists(st.sampled_from(WHOLE), max_size=8))
def test_what_is_written_without_a_blank_stays_whole(words: list[str]) -> None:
    text = " ".join(words)
    assert apart(text) == text


PIECES = st.lists(st.sampled_from([*SENTENCES, *WHOLE, " ", "\n", ".", "»", "(", "No", "A"]))


@given(PIECES.map("".join) | st.text())
def test_only_blanks_are_added_and_only_once(text: str) -> None:
    done = apart(text)
    assert "".join(done.split()) == "".join(text.split())
    assert apart(done) == done


@given(PIECES.map("".join) | st.text())
def test_a_text_with_its_blanks_is_left_as_it_is(text: str) -> None:
    spaced = re.sub(r"([.!?…])(?=\S)", r"\1 ", text)
    assert apart(spaced) == spaced

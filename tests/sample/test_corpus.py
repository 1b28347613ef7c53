from __future__ import annotations

import hashlib
from importlib.resources import files

import pytest

from jw_eval_store.sample.library import LANGUAGES, Library, Verse, library

SPOKEN = ("en", "es", "pt")


def corpus(language: str) -> Library:
    found = library(language)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("language", "verse", "text"),
    [
        (
            "en",
            "43:3:16",
            "For God so loved the world, that he gave his only begotten Son, that whosoever "
            "believeth on him should not perish, but have eternal life.",
        ),
        ("en", "5:6:4", "Hear, O Israel: Jehovah our God is one Jehovah:"),
        ("es", "43:3:16", "Porque de tal manera amó Dios al mundo, que ha dado á su Hijo "
         "unigénito, para que todo aquel que en él cree, no se pierda, mas tenga vida eterna."),
        ("es", "1:1:1", "En el principio crió Dios los cielos y la tierra."),
        ("es", "19:119:105", "Lámpara es á mis pies tu palabra, y lumbrera á mi camino."),
        ("pt", "45:6:23", "Porque o salário do pecado é a morte, mas o dom gratuito de Deus é a "
         "vida eterna, por Cristo Jesus nosso Senhor."),
        ("pt", "40:5:5", "Bem-aventurados os mansos, porque eles herdarão a terra;"),
    ],
)  # fmt: skip
def test_verses_read_as_in_their_edition(language: str, verse: str, text: str) -> None:
    assert corpus(language).verses[Verse.parse(verse)] == text


@pytest.mark.parametrize(
    ("language", "digest"),
    [
        ("en", "1346a3deaf68a761"),
        ("es", "b00d202de2b2f857"),
        ("pt", "3c79784c68169c69"),
    ],
)
def test_no_verse_changes_unnoticed(language: str, digest: str) -> None:
    """Renew the digest after comparing a changed verse with its edition (corpus/SOURCES.md)."""
    verses = corpus(language).verses
    text = "\n".join(f"{verse} {verses[verse]}" for verse in sorted(verses))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest


def test_the_corpus_is_large_enough_to_look_things_up() -> None:
    assert [len(corpus(language).verses) >= 60 for language in ("en", "es")] == [True, True]
    assert len(corpus("pt").verses) >= 25
    assert all(len(corpus(language).topics) >= 12 for language in SPOKEN)


def test_the_corpus_is_small() -> None:
    folder = files("jw_eval_store.sample") / "corpus"
    assert sum(len(entry.read_bytes()) for entry in folder.iterdir()) < 300_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_clean(language: str) -> None:
    for text in corpus(language).verses.values():
        assert text == " ".join(text.split())
        assert not set(text) & set("[]<>{}+*")


@pytest.mark.parametrize("language", SPOKEN)
def test_every_topic_rests_on_verses_that_english_and_spanish_hold(language: str) -> None:
    for topic in corpus(language).topics:
        named = {*topic.verses, *(verse for point in topic.points for verse in point.verses)}
        assert named <= corpus("en").verses.keys()
        assert named <= corpus("es").verses.keys()
        assert any(verse in corpus(language).verses for verse in topic.verses)


@pytest.mark.parametrize("language", SPOKEN)
def test_a_topic_is_found_by_each_of_its_names(language: str) -> None:
    from jw_eval_store.sample.finding import topics_in

    held = corpus(language)
    for topic in held.topics:
        for name in topic.names:
            assert topic in topics_in(name, held), name


def test_notes_refer_to_verses_of_the_corpus() -> None:
    held = corpus("en")
    for verse, note in held.notes.items():
        assert {verse, *note.cross_references} <= held.verses.keys()
        assert verse not in note.cross_references


def test_document_numbers_are_told_apart() -> None:
    numbers = [topic.docid for topic in corpus("en").topics]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize(
    ("written", "read"),
    [("E", "en"), ("S", "es"), ("T", "pt"), ("es-MX", "es"), ("pt-BR", "pt"), ("ASL", "ase")],
)
def test_languages_are_known_by_every_code(written: str, read: str) -> None:
    assert corpus(written).language == read


def test_an_unknown_language_has_no_corpus() -> None:
    assert library("F") is None
    assert library("") is None

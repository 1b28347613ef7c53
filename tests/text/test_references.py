"""Bible references are read alike in three languages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.text.books import LANGUAGES, book_name, chapter_counts
from jw_eval_store.text.references import parse_references


def keys(text: str, language: str) -> list[str]:
    return [reference.key for reference in parse_references(text, language)]


ENGLISH = [
    ("God loved the world (John 3:16).", "43:3:16"),
    ("Acts 15:29", "44:15:29"),
    ("1 Cor. 15:33", "46:15:33"),
    ("1Co 15:33, 34", "46:15:33 46:15:34"),
    ("First John 4:8", "62:4:8"),
    ("1st John 4:8", "62:4:8"),
    ("II Timothy 3:16, 17", "55:3:16 55:3:17"),
    ("3 John 15", "64:1:15"),
    ("Jude 3-5", "65:1:3-5"),
    ("Philemon 1:6", "57:1:6"),
    ("Mark 16:20", "41:16:20"),
    ("John 7:53", "43:7:53"),
    ("Genesis 1:1–2:3", "1:1:1-2:3"),
    ("Song of Solomon 8:6", "22:8:6"),
    ("Ps 83:18; 37:29", "19:83:18 19:37:29"),
    ("Revelation 21:3, 4; Isaiah 33:24", "66:21:3 66:21:4 23:33:24"),
    ("Matthew 24:14 and 2 Peter 1:21", "40:24:14 61:1:21"),
    ("chapter and verse: John chapter 3 verse 16", "43:3:16"),
    ("Rom 6.23", "45:6:23"),
    ("Genesis 1-3", "1:1-3"),
    ("Is 9:6 and Am 3:7", "23:9:6 30:3:7"),
    ("Proverbs 3", "20:3"),
    ("Eccl. 9:5, 10", "21:9:5 21:9:10"),
    ("Job 14:13-15", "18:14:13-15"),
]
SPANISH = [
    ("Porque Dios amó tanto al mundo (Juan 3:16).", "43:3:16"),
    ("Hch 15:29", "44:15:29"),
    ("Hechos 15:29", "44:15:29"),
    ("Juan 3,16", "43:3:16"),
    ("1 Juan 4:8 y Juan 3:16", "62:4:8 43:3:16"),
    ("3 Juan 15", "64:1:15"),
    ("Judas 3", "65:1:3"),
    ("Primera de Juan 4:8", "62:4:8"),
    ("Primera carta a los Corintios 13:4-8", "46:13:4-8"),
    ("1.ª Tesalonicenses 5:21", "52:5:21"),
    ("II Timoteo 3:16 y 17", "55:3:16 55:3:17"),
    ("Éxodo 20:4, 5", "2:20:4 2:20:5"),
    ("Exodo 3:14", "2:3:14"),
    ("Sl 83:18", "19:83:18"),
    ("Salmos 37:29", "19:37:29"),
    ("Apocalipsis 21:3-4", "66:21:3-4"),
    ("Cantar de los Cantares 8:6", "22:8:6"),
    ("Génesis 1:1 – 2:3", "1:1:1-2:3"),
    ("Mt 6:9, 10; 24:14", "40:6:9 40:6:10 40:24:14"),
    ("Juan, capítulo 3, versículo 16", "43:3:16"),
    ("Snt 1:13", "59:1:13"),
    ("Isa\u00adías\u00a09:6", "23:9:6"),
    ("Ezequiel 18:4, 2 Pedro 1:21", "26:18:4 61:1:21"),
    ("Lamentaciones de Jeremías 3:22", "25:3:22"),
    ("¿Qué dice juan 3:16?", "43:3:16"),
]
PORTUGUESE = [
    ("Deus amou tanto o mundo (João 3:16).", "43:3:16"),
    ("Joao 3:16", "43:3:16"),
    ("Jo 17:3", "43:17:3"),
    ("Jó 14:13", "18:14:13"),
    ("At 15:29", "44:15:29"),
    ("Atos dos Apóstolos 4:12", "44:4:12"),
    ("3 João 15", "64:1:15"),
    ("1 Coríntios 15:33", "46:15:33"),
    ("1Co 15:33", "46:15:33"),
    ("Primeira aos Coríntios 13:4", "46:13:4"),
    ("Segunda a Timóteo 3:16", "55:3:16"),
    ("Romanos 6:23", "45:6:23"),
    ("Gên. 2:7", "1:2:7"),
    ("Êxodo 3:14", "2:3:14"),
    ("Salmo 83:18", "19:83:18"),
    ("Eclesiastes 9:5, 10", "21:9:5 21:9:10"),
    ("Revelação 21:4", "66:21:4"),
    ("Apocalipse 21:3, 4", "66:21:3 66:21:4"),
    ("Tiago 1,13", "59:1:13"),
    ("1 Reis 8:27 e 2 Reis 2:11", "11:8:27 12:2:11"),
    ("Cântico de Salomão 8:6", "22:8:6"),
    ("Judas 3-5", "65:1:3-5"),
    ("Mateus 24:14; 1 Pedro 3:15", "40:24:14 60:3:15"),
    ("Fil. 2:5-8", "50:2:5-8"),
]
CASES = [
    (language, text, expected)
    for language, cases in (("en", ENGLISH), ("es", SPANISH), ("pt", PORTUGUESE))
    for text, expected in cases
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_references_are_read(language: str, text: str, expected: str) -> None:
    assert " ".join(keys(text, language)) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "he is 5 years old, and I am 3:16 late"),
        ("en", "Is 5 enough?"),
        ("en", "In 1914 there were 144,000 at 10:30"),
        ("es", "Juan 45"),
        ("es", "Juan 3:0"),
        ("es", "Judas 30 monedas"),
        ("es", "Samuel 3:1"),
        ("es", "a las 3:16"),
        ("pt", "De 10:30 as 12:00"),
        ("es", "3:16"),
        ("es", ""),
    ],
)
def test_other_numbers_are_no_references(language: str, text: str) -> None:
    assert keys(text, language) == []


def test_sign_languages_read_the_language_around_them_and_unknown_ones_all() -> None:
    assert keys("John 3:16", "ase") == keys("Juan 3:16", "mfs") == keys("João 3:16", "bzs")
    assert keys("John 3:16; Juan 3:16; João 3:16", "und") == ["43:3:16"] * 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_book_is_read_by_its_full_name(language: str) -> None:
    for book, chapters in chapter_counts().items():
        assert keys(f"{book_name(book, language)} {chapters}:2", language) == [
            f"{book}:{chapters}:2"
        ]
    assert sum(chapter_counts().values()) == 1189
    assert len(chapter_counts()) == 66


@given(st.text(), st.sampled_from(["en", "es", "pt", "und"]))
def test_any_text_is_read_without_an_error(text: str, language: str) -> None:
    assert keys(text + " ·", language) == keys(text, language)


@given(st.integers(1, 66), st.integers(1, 200), st.integers(1, 200), st.sampled_from(LANGUAGES))
def test_only_chapters_that_exist_are_read(
    book: int, chapter: int, verse: int, language: str
) -> None:
    found = keys(f"x {book_name(book, language)} {chapter}:{verse}.", language)
    exists = chapter <= chapter_counts()[book] and verse <= 176
    assert bool(found) is exists or chapter_counts()[book] == 1
    assert found in ([], [f"{book}:{chapter}:{verse}"])


def test_a_usual_sentence_takes_less_than_a_tenth_of_a_millisecond() -> None:
    sentence = (
        "La Biblia enseña que el alma muere (Ezequiel 18:4, 20) y que Dios la resucitará en 1 día."
    )
    parse_references(sentence, "es")
    best = min(_seconds(sentence) for _ in range(20))
    assert best < 100e-6


def _seconds(sentence: str) -> float:
    started = time.perf_counter()
    parse_references(sentence, "es")
    return time.perf_counter() - started

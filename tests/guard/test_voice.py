"""The passive of a statement says the same; who does what to whom is never turned round."""

from __future__ import annotations

import pytest

from jw_eval_store.judges.guard.pairs import pair_of
from jw_eval_store.judges.literal import difference
from jw_eval_store.judges.voice import is_other_voice

SAME = [
    ("en", "A woman is grating carrots.", "Carrots are being grated by a woman."),
    ("en", "God created the earth.", "The earth was created by God."),
    (
        "en",
        "The boy is pushing the car on the road.",
        "The car is being pushed by the boy on the road.",
    ),
    ("es", "Jehová creó la Tierra.", "La Tierra fue creada por Jehová."),
    ("es", "Una mujer está cortando patatas.", "Las patatas están siendo cortadas por una mujer."),
    ("pt", "Jeová criou a Terra.", "A Terra foi criada por Jeová."),
    ("pt", "A mulher está ralando cenouras.", "Cenouras estão sendo raladas pela mulher."),
]

OTHER = [
    ("en", "God created the earth.", "God was created by the earth."),
    ("en", "God created Jesus.", "God was created by Jesus."),
    ("en", "God created Jesus.", "Jesus is created by God."),
    ("en", "God created Jesus.", "Jesus was destroyed by God."),
    ("en", "God created Jesus first.", "Jesus was created by God."),
    ("en", "God creates the earth.", "The earth was created by God."),
    ("es", "Jehová creó a Jesús.", "Jehová fue creado por Jesús."),
    ("es", "Jehová creará la Tierra.", "La Tierra fue creada por Jehová."),
    ("pt", "O menino está empurrando a menina.", "O menino está sendo empurrado pela menina."),
]


@pytest.mark.parametrize(("language", "one", "other"), SAME)
def test_active_and_passive_are_one(language: str, one: str, other: str) -> None:
    assert is_other_voice(pair_of(one, other, language))
    assert is_other_voice(pair_of(other, one, language))
    assert difference(one, other, language) is None


@pytest.mark.parametrize(("language", "one", "other"), OTHER)
def test_other_roles_words_and_tenses_are_not(language: str, one: str, other: str) -> None:
    assert not is_other_voice(pair_of(one, other, language))
    assert difference(one, other, language) is not None
    assert difference(other, one, language) is not None


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [("pt", "A menina corre.", "O menino corre."), ("es", "La hija reina.", "El hijo reina.")],
)
def test_a_girl_is_no_boy(language: str, one: str, other: str) -> None:
    assert difference(one, other, language) is not None

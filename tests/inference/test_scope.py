"""Thresholds hold for statements in the golden answer's language; all else is the judge's."""

from __future__ import annotations

import pytest

from jw_eval_store.domain.inference import InferenceThresholds
from jw_eval_store.judges.inference.calibrate import measure_inference
from jw_eval_store.judges.inference.embedded import EmbeddedModel
from jw_eval_store.judges.inference.interface import Inference
from jw_eval_store.judges.inference.profiles import shipped_inference_profile
from jw_eval_store.judges.inference.reader import EntailmentReader, Reading
from jw_eval_store.judges.pairs import LabelledPair
from tests.inference.fakes import CONTRADICTED, ENTAILED, TableModel

SOUL = "El alma muere cuando la persona muere."
HELL = "Dios no castiga a las personas en un infierno de fuego eterno."


def read(golden: str, candidate: str, inference: Inference, language: str = "es") -> Reading:
    """What a model with this one opinion leads to."""
    entry = InferenceThresholds(kind="doctrine", language=language, pass_at=0.8, fail_at=0.8)
    model = TableModel({(golden, candidate): inference})
    return EntailmentReader(model, [entry]).read(golden, candidate, language)


@pytest.mark.parametrize(
    "candidate",
    [
        "The soul does not die when the person dies.",
        "The soul survives when the person dies.",
        "L'âme ne meurt pas quand la personne meurt.",
        "L'anima non muore quando la persona muore.",
        "Die Seele stirbt nicht, wenn der Mensch stirbt.",
        "Душа не умирает, когда умирает человек.",
        "灵魂在人死时不会死去。",
        "❌",
    ],
)
@pytest.mark.parametrize("said", [ENTAILED, CONTRADICTED])
def test_what_is_not_in_the_golden_language_is_not_decided(candidate: str, said: Inference) -> None:
    reading = read(SOUL, candidate, said)
    assert reading.verdict is None
    assert "does not read like es" in reading.reasons[-1]


def test_one_foreign_sentence_keeps_all_of_it_from_passing() -> None:
    wrong = "The soul does not die."
    table = {(SOUL, SOUL): ENTAILED, (SOUL, wrong): ENTAILED, (SOUL, f"{SOUL} {wrong}"): ENTAILED}
    entry = InferenceThresholds(kind="doctrine", language="es", pass_at=0.8)
    reader = EntailmentReader(TableModel(table), [entry])
    assert reader.read(SOUL, SOUL, "es-MX").verdict == "pass"
    assert reader.read(SOUL, f"{SOUL} {wrong}", "es-MX").verdict is None


@pytest.mark.parametrize(
    ("golden", "candidate"),
    [
        (SOUL, "alma"),
        (SOUL, "El alma."),
        (SOUL, "Cuando la persona muere."),
        (SOUL, "El alma de la persona."),
        (HELL, "Dios."),
        (HELL, "El infierno de fuego."),
        (HELL, "Dios castiga a las personas en un infierno de fuego eterno."),
    ],
)
def test_what_is_cut_out_of_the_golden_answer_does_not_pass_alone(
    golden: str, candidate: str
) -> None:
    assert read(golden, candidate, ENTAILED).verdict is None
    assert read(golden, candidate, CONTRADICTED).verdict in ("fail", None)


@pytest.mark.parametrize(
    "candidate",
    [
        "¿El alma deja de existir cuando uno muere?",
        "**¿El alma deja de existir cuando uno muere?!**",
        "El alma deja de existir cuando uno muere. ¿O no es así?",
    ],
)
def test_what_asks_says_nothing_and_does_not_pass_alone(candidate: str) -> None:
    entry = InferenceThresholds(kind="doctrine", language="es", pass_at=0.8, fail_at=0.8)

    class Agreeing(TableModel):
        def _infer(self, premise: str, hypothesis: str) -> Inference:
            return ENTAILED

    reading = EntailmentReader(Agreeing(), [entry]).read(SOUL, candidate, "es")
    assert (reading.verdict, reading.leans_pass) == (None, True)
    assert "asks" in reading.reasons[-1]


@pytest.mark.parametrize("said", ["{} ❌", "👎 {}", "~~{}~~", "1 ≠ 1: {}"])
def test_a_sign_may_say_no_and_does_not_pass_alone(said: str) -> None:
    candidate = said.format("El alma deja de existir cuando uno muere.")
    golden = SOUL.replace("muere cuando", "muere ♥ cuando")
    reading = read(golden, candidate, ENTAILED)
    assert (reading.verdict, reading.leans_pass) == (None, True)
    assert "may say something" in reading.reasons[-1]
    same = "El alma deja de existir cuando uno muere ♥."
    assert read(golden, same, ENTAILED).verdict == "pass"


@pytest.mark.parametrize(("kind", "verdict"), [("chat", "pass"), ("doctrine", None)])
def test_only_a_reply_may_keep_to_a_part_of_its_source(kind: str, verdict: str | None) -> None:
    said = "El alma muere."
    entry = InferenceThresholds(kind=kind, language="es", pass_at=0.8)
    reader = EntailmentReader(TableModel({(SOUL, said): ENTAILED}), [entry], kind=kind)
    assert reader.read(SOUL, said, "es").verdict == verdict
    assert reader.read(SOUL, "El alma.", "es").verdict is None


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Yes, the soul dies.", "pass"),
        ("I love it, the soul dies.", None),
        ("The soul dies in pain.", None),
        ("It does! The soul dies.", None),
        ("Yes it does , the soul dies .", None),
        ("It doesn't! The soul dies.", None),
        ("They are n't . The soul dies.", None),
        ("They're! The soul dies.", None),
        ("The soul doesn't die.", None),
        ("The soul is the person , and the soul dies .", None),
        ("The soul dies . The person dies .", "pass"),
        ("I know that the soul dies.", None),
        ("Well , the soul dies .", "pass"),
    ],
)
def test_a_reply_passes_alone_only_in_its_source_s_own_words(
    said: str, verdict: str | None
) -> None:
    golden = "The soul dies when the person dies."
    entry = InferenceThresholds(kind="chat", language="en", pass_at=0.8)
    reader = EntailmentReader(TableModel({(golden, said): ENTAILED}), [entry], kind="chat")
    assert reader.read(golden, said, "en").verdict == verdict


def test_a_short_contradiction_still_fails() -> None:
    assert read(HELL, "Dios castiga a las personas.", CONTRADICTED).verdict == "fail"


@pytest.mark.parametrize(
    "candidate",
    [
        f"Según Eclesiastés 9:5, {SOUL[0].lower()}{SOUL[1:]}",
        f"La Biblia dice: {SOUL}",
        f"No es verdad que {SOUL[0].lower()}{SOUL[1:]}",
    ],
)
def test_what_repeats_the_golden_sentence_does_not_fail_alone(candidate: str) -> None:
    reading = read(SOUL, candidate, CONTRADICTED)
    assert reading.verdict is None
    assert not reading.leans_pass
    assert "repeats what it seems to contradict" in reading.reasons[-1]


def test_words_that_only_begin_alike_are_no_repetition() -> None:
    assert (
        read("El alma muere.", "El alma muerea siempre en la tierra.", CONTRADICTED).verdict
        == "fail"
    )


@pytest.mark.parametrize(
    ("golden", "candidate", "language"),
    [
        (SOUL, "Al morir uno, el alma deja de existir.", "es"),
        (SOUL, SOUL, "es"),
        ("The dead know nothing.", "Those who have died are aware of nothing at all.", "en"),
        ("Os mortos não sabem nada.", "Quem morreu não está consciente de coisa alguma.", "pt"),
        ("Die Toten wissen nichts.", "Wer tot ist, weiß nichts.", "de"),
    ],
)
def test_other_words_of_the_language_pass_as_before(
    golden: str, candidate: str, language: str
) -> None:
    assert read(golden, candidate, ENTAILED, language).verdict == "pass"


def test_calibration_counts_them_as_the_reader_decides() -> None:
    pairs = [
        LabelledPair(SOUL, "The soul dies when the person dies.", "pass", "es"),
        LabelledPair(SOUL, "El alma.", "fail", "es"),
    ]
    foreign, cut = measure_inference(pairs, TableModel(), None)
    assert (foreign.is_clean, foreign.may_fail) == (False, False)
    assert (cut.is_clean, cut.may_fail) == (False, True)


def test_the_packaged_model_passes_none_of_them(embedded: EmbeddedModel) -> None:
    profile = shipped_inference_profile()
    assert profile is not None
    reader = EntailmentReader(embedded, profile.entries)
    for candidate in (
        "El alma.",
        "灵魂在人死时不会死去。",
        "The soul survives when the person dies.",
    ):
        assert reader.read(SOUL, candidate, "es").verdict is None


@pytest.mark.parametrize(
    ("golden", "candidate", "language"),
    [
        ("Jesus is the Son of God, not his equal.", "No, that is not true.", "en"),
        ("Jesus is the Son of God, not his equal.", "The opposite is the case.", "en"),
        ("Los muertos no saben nada.", "No es así en verdad.", "es"),
        ("Os mortos não sabem nada.", "Não, isso não é verdade.", "pt"),
        ("Los muertos no saben nada.", "El que de la y los son con todo en la de que.", "es"),
        ("Los muertos no saben nada.", "Los muertos no saben nada. Lo contrario es el caso.", "es"),
        (
            "True Christians keep out of war.",
            "True Christians keep out of war. That is not true.",
            "en",
        ),
        ("A alma morre.", "Não é verdade que a alma não sobreviva à morte.", "pt"),
        ("A alma morre.", "A alma morre. Pelo menos é o que dizem os hereges.", "pt"),
        ("Los muertos no saben nada.", "Mito: los muertos no saben nada.", "es"),
        ("The dead know nothing.", "It was once believed that the dead know nothing.", "en"),
        ("The dead know nothing.", "The dead know nothing, which is not the case.", "en"),
        ("Os mortos não sabem nada.", "Nunca diga que os mortos não sabem nada.", "pt"),
        ("When a person dies, the soul dies.", "When the soul dies, the person dies.", "en"),
        (
            "Jehová creó a Jesús antes que al mundo.",
            "Jesús creó a Jehová antes que al mundo.",
            "es",
        ),
        ("The dead know nothing.", "The dead know, and nothing know the dead.", "en"),
        (
            "Jehová no creó el mal en la tierra.",
            "Jehová \u043f\u043e creó el mal en la tierra.",
            "es",
        ),
    ],
)
def test_denials_frames_and_other_orders_never_pass_alone(
    golden: str, candidate: str, language: str
) -> None:
    reading = read(golden, candidate, ENTAILED, language)
    assert reading.verdict is None
    assert any("the judge's" in reason for reason in reading.reasons)


@pytest.mark.parametrize(
    ("golden", "candidate"),
    [
        (("The dead know nothing.", "The soul dies."), "The soul dies and the dead know nothing."),
        (("True faith has works.",), "Where faith is true, works are there, too."),
        (("The dead know nothing.",), "Those who have died are aware of nothing at all."),
        (("An old man feeds birds.",), "An old man out there feeds all the hungry birds."),
    ],
)
def test_both_sentences_in_one_or_other_words_pass_as_before(
    golden: tuple[str, ...], candidate: str
) -> None:
    whole = " ".join(golden)
    table = {(premise, candidate): ENTAILED for premise in (whole, *golden)}
    calibrated = InferenceThresholds(kind="doctrine", language="en", pass_at=0.8, fail_at=0.8)
    reader = EntailmentReader(TableModel(table), [calibrated])
    assert reader.read(whole, candidate, "en").verdict == "pass"

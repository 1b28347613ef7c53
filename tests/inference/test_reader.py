"""Every sentence is held against every golden one; uncalibrated, nothing is decided."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.domain.inference import InferenceThresholds
from jw_eval_store.judges.inference.interface import Inference, inference_of
from jw_eval_store.judges.inference.reader import EntailmentReader, Reading, UnavailableReader
from jw_eval_store.judges.inference.sheet import statements
from jw_eval_store.judges.inference.trace import SHORT
from tests.inference.fakes import CONTRADICTED, ENTAILED, NEUTRAL, TableModel

SOUL, GOD = "El alma muere.", "Dios es uno."
BOTH = f"{SOUL} {GOD}"


def entry(**values: Any) -> InferenceThresholds:
    given = {"kind": "doctrine", "language": "es", "pass_at": 0.9, "fail_at": 0.9} | values
    return InferenceThresholds(**given)


def read(golden: str, candidate: str, *entries: InferenceThresholds, **table: Any) -> Reading:
    reader = EntailmentReader(TableModel(**table), entries or (entry(),))
    return reader.read(golden, candidate, "es")


def numbers(reading: Reading) -> tuple[float, float, float]:
    found = reading.details["entailment"]
    return found["support"], found["coverage"], found["contradiction"]


@pytest.mark.parametrize(
    ("candidate", "verdict"),
    [
        (SOUL, "pass"),
        ("El alma no muere.", "fail"),
        (f"{SOUL} " * 3 + "El alma no muere.", "fail"),
        ("Otra cosa.", None),
        (f"{SOUL} Otra cosa.", None),
    ],
)
def test_a_calibrated_reader_decides(candidate: str, verdict: str | None) -> None:
    assert read(SOUL, candidate).verdict == verdict


def test_in_a_long_answer_one_contradiction_counts_and_fails_nothing_alone() -> None:
    """Thresholds are found on a pair or few: of a hundred pairs one may well be misread."""
    reading = read(SOUL, f"{SOUL} " * 59 + "El alma no muere.")
    assert (reading.verdict, reading.leans_pass, reading.objects) == (None, False, True)
    assert reading.details["entailment"]["fail_at"] is None


def test_what_follows_from_one_part_contradicts_no_other() -> None:
    misread = {(GOD, SOUL): Inference(0.01, 0.04, 0.95)}
    reading = read(BOTH, BOTH, table=misread)
    assert numbers(reading) == (1.0, 1.0, 0.0)
    assert reading.verdict == "pass"


def test_what_is_added_has_no_support() -> None:
    assert numbers(read(SOUL, f"{SOUL} Otra cosa.")) == (0.05, 1.0, 0.05)


def test_what_is_missing_is_not_covered() -> None:
    reading = read(BOTH, SOUL)
    assert numbers(reading) == (1.0, 0.05, 0.0)
    assert (reading.verdict, reading.leans_pass) == (None, False)


def test_the_golden_answer_in_one_sentence_is_supported_by_the_whole() -> None:
    joined = "El alma muere y Dios es uno."
    table = {(BOTH, joined): ENTAILED, (SOUL, joined): ENTAILED, (GOD, joined): ENTAILED}
    assert read(BOTH, joined, table=table).verdict == "pass"
    del table[BOTH, joined]
    assert numbers(read(BOTH, joined, table=table))[0] == 0.98


def test_two_sentences_in_a_row_may_say_it_together() -> None:
    golden, said = "El alma muere y no vive.", ("El alma muere.", "No vive.")
    table = {(golden, " ".join(said)): ENTAILED} | {(golden, one): NEUTRAL for one in said}
    assert read(golden, " ".join(said), table=table).verdict == "pass"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (SOUL, "pass"),
        ("EL ALMA MUERE", "pass"),
        ("**El alma muere**", "pass"),
        (f"{SOUL} Es así.", None),
    ],
)
def test_what_repeats_the_golden_answer_never_contradicts_it(
    said: str, verdict: str | None
) -> None:
    """Weights that were trained on changed sentences read one that is not changed at random."""
    misread = {(SOUL, repeated): CONTRADICTED for repeated in (SOUL, said, "el alma muere")}
    reading = read(SOUL, said, table=misread | {(SOUL, "Es así."): ENTAILED})
    assert (reading.verdict, reading.leans_pass) == (verdict, True)
    assert numbers(reading)[2] <= 0.02


def test_an_item_of_a_list_repeats_the_golden_answer() -> None:
    assert numbers(read(SOUL, "- El alma muere\n- El alma muere"))[0] == 1.0


@pytest.mark.parametrize(
    ("golden", "said"),
    [(SOUL, "¿El alma muere?"), ("5 grados son pocos.", "-5 grados son pocos.")],
)
def test_a_question_and_another_number_repeat_nothing(golden: str, said: str) -> None:
    assert numbers(read(golden, said))[0] == 0.05


@pytest.mark.parametrize(
    ("golden", "said"),
    [
        (SOUL, "El alma NO muere."),
        ("el alma muere.", "EL ALMA NO MUERE."),
        (SOUL, "El alma n\u200bo muere."),
        (SOUL, "El alma no mue\u00adre."),
        (SOUL, "El alma no\u2060 muere."),
    ],
)
def test_neither_capitals_nor_what_nobody_sees_hides_a_contradiction(
    golden: str, said: str
) -> None:
    reading = read(golden, said, table={(golden, said): ENTAILED})
    assert (reading.verdict, reading.leans_pass, numbers(reading)[2]) == ("fail", False, 0.98)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"<p>{SOUL}</p><p>El <b>alma</b> no muere.</p>", (SOUL, "El alma no muere.")),
        (f"{SOUL}<br/>El alma s&iacute; vive.", (SOUL, "El alma sí vive.")),
        ("<ul><li>El alma muere<li class='a'>Dios es uno</ul>", ("El alma muere", "Dios es uno")),
        ("<tr><td>el alma</td><td>muere</td></tr>", ("el alma  muere",)),
        ("El <del>alma</del> muere si 1 < 2 > 0.", ("El <del>alma</del> muere si 1 < 2 > 0.",)),
        ("El alma no&nbsp;mue&shy;re &lt;p&gt;", ("El alma no\xa0muere <p>",)),
    ],
)
def test_html_is_read_as_people_see_it(text: str, found: tuple[str, ...]) -> None:
    assert statements(text) == found


def test_roman_numbers_and_single_capitals_are_read_as_they_stand() -> None:
    model = TableModel()
    EntailmentReader(model).read(SOUL, "En el siglo IV A lo supo ROMA.", "es")
    assert model.pairs == [(SOUL, "En el siglo IV A lo supo roma.")]


def test_an_accent_apart_from_its_letter_is_the_same_letter() -> None:
    apart = unicodedata.normalize("NFD", "El alma murió aquí.")
    assert statements(apart) == ("El alma murió aquí.",)


@pytest.mark.parametrize("order", [1, -1])
def test_a_right_sentence_beside_it_hides_no_contradiction(order: int) -> None:
    both = " ".join([SOUL, "El alma no muere."][::order])
    reading = read(SOUL, both, table={(SOUL, both): ENTAILED})
    assert (reading.verdict, reading.leans_pass) == ("fail", False)
    doubtful = {(SOUL, "El alma no muere."): Inference(0.5, 0.01, 0.49)}
    reading = read(SOUL, both, table={(SOUL, both): ENTAILED} | doubtful)
    assert (reading.verdict, numbers(reading)) == (None, (0.51, 1.0, 0.49))


def test_one_contradiction_outweighs_all_that_is_right() -> None:
    reading = read(SOUL, f"{SOUL} El alma no muere.")
    assert (reading.verdict, reading.leans_pass, reading.objects) == ("fail", False, True)
    assert "“El alma no muere.” contradicts “El alma muere.”" in " ".join(reading.reasons)


def test_two_sentences_in_a_row_contradict_only_one_by_one() -> None:
    table = {(SOUL, "Muere mal. Vive bien."): CONTRADICTED}
    assert numbers(read(SOUL, "Muere mal. Vive bien.", table=table))[2] == 0.05


def test_a_contradiction_of_the_whole_answer_counts() -> None:
    said = "Nada de eso."
    reading = read(BOTH, said, table={(BOTH, said): CONTRADICTED})
    assert numbers(reading)[2] == 0.95
    assert "contradicts the golden answer" in reading.reasons[1]


@pytest.mark.parametrize(
    "thresholds",
    [
        {"language": "pt"},
        {"kind": "news"},
        {"pass_at": None, "fail_at": None},
    ],
)
def test_an_uncalibrated_kind_or_language_is_never_decided(thresholds: dict[str, Any]) -> None:
    for candidate in (SOUL, "El alma no muere."):
        reading = read(SOUL, candidate, entry(**thresholds))
        assert (reading.verdict, reading.reason_code) == (None, None)
    assert read(SOUL, SOUL, entry(**thresholds)).leans_pass


def test_thresholds_hold_for_a_language_in_every_region() -> None:
    reader = EntailmentReader(TableModel(), [entry()])
    assert reader.read(SOUL, SOUL, "es-mx").verdict == "pass"
    assert reader.read(SOUL, SOUL, "en").verdict is None


def test_own_thresholds_stand_in_for_calibrated_ones() -> None:
    unsure = {(SOUL, "El alma fallece."): Inference(0.8, 0.1, 0.1)}
    strict = EntailmentReader(TableModel(unsure), [entry()])
    lax = EntailmentReader(TableModel(unsure), [entry()], pass_at=0.7)
    alone = EntailmentReader(TableModel(unsure), pass_at=0.7, kind="news")
    assert [one.read(SOUL, "El alma fallece.", "es").verdict for one in (strict, lax, alone)] == [
        None,
        "pass",
        "pass",
    ]


@pytest.mark.parametrize(("said", "leans", "objects"), [(0.49, True, False), (0.5, False, True)])
def test_the_veto_starts_where_contradiction_is_more_likely_than_not(
    said: float, leans: bool, objects: bool
) -> None:
    table = {(SOUL, "El alma fallece."): Inference(1 - said, 0.0, said)}
    reading = EntailmentReader(TableModel(table)).read(SOUL, "El alma fallece.", "es")
    assert (reading.leans_pass, reading.objects) == (leans, objects)


def test_a_calibrated_line_decides_what_makes_the_golden_words_doubtful() -> None:
    table = {(SOUL, "El alma fallece."): Inference(0.2, 0.1, 0.7)}
    assert not read(SOUL, "El alma fallece.", entry(fail_at=0.8), table=table).objects
    assert read(SOUL, "El alma fallece.", entry(fail_at=0.7), table=table).objects
    assert read(SOUL, "El alma fallece.", entry(fail_at=None), table=table).objects


@pytest.mark.parametrize(
    ("fail_at", "said"),
    [(0.7, "contradicts"), (0.8, "seems to contradict"), (None, "seems to contradict")],
)
def test_a_contradiction_is_a_fact_only_where_it_decides(fail_at: float | None, said: str) -> None:
    table = {(SOUL, "El alma fallece."): Inference(0.0, 0.25, 0.75)}
    reasons = read(SOUL, "El alma fallece.", entry(fail_at=fail_at), table=table).reasons
    assert f"“El alma fallece.” {said} “{SOUL}”, says the cross-encoder" in reasons


def test_the_identity_names_all_that_verdicts_depend_on() -> None:
    def identity(*entries: InferenceThresholds, **options: Any) -> str:
        revision = options.pop("revision", "1")
        reader = EntailmentReader(TableModel(revision=revision), entries, **options)
        return json.dumps(reader.identity)

    found = [
        identity(),
        identity(revision="2"),
        identity(entry()),
        identity(entry(pass_at=0.91)),
        identity(entry(), entry(language="en")),
        identity(kind="news"),
        identity(pass_at=0.7),
        identity(fail_at=0.7),
        json.dumps(UnavailableReader("table", "it is gone").identity),
    ]
    assert len(set(found)) == len(found)
    assert identity(entry()) == identity(entry(), entry(kind="news"))
    assert identity(entry(), entry(language="en")) == identity(entry(language="en"), entry())


def test_all_pairs_are_asked_once() -> None:
    model = TableModel()
    reader = EntailmentReader(model)
    first, again = (
        reader.read("Es 1. Es 2.", "Es 3. Es 4. Es 5. Es 3.", "es").details for _ in range(2)
    )
    assert first == again
    said = ["Es 3.", "Es 4.", "Es 5.", "Es 3. Es 4.", "Es 4. Es 5.", "Es 5. Es 3."]
    asked = sorted((g, s) for g in ("Es 1.", "Es 2.", "Es 1. Es 2.") for s in said)
    assert sorted(model.pairs) == asked


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("No. El alma muere.", ("No. El alma muere.",)),
        ("El alma muere. ¡Sí! Dios es uno. No.", ("El alma muere.", "¡Sí! Dios es uno. No.")),
        ("Sí. No. Dios es uno.", ("Sí. No.", "Dios es uno.")),
        ("No.", ("No.",)),
        ("Nada. ", ("Nada.",)),
    ],
)
def test_a_single_word_states_nothing_by_itself(text: str, found: tuple[str, ...]) -> None:
    assert statements(text) == found


def test_a_short_trace_holds_every_pair_by_its_sentences() -> None:
    (step,) = read(BOTH, "El alma no muere. Buenos días.").steps
    details: Any = step.details
    assert (step.kind, step.model, step.model_digest) == ("nli", "table", "sha256:table")
    assert details["golden"] == [SOUL, GOD]
    assert details["candidate"] == ["El alma no muere.", "Buenos días."]
    assert len(details["pairs"]) == details["asked"] == 9
    assert [0, 0, 0, 0.01, 0.01, 0.98] in details["pairs"]
    assert {(pair[0], pair[1], pair[2]) for pair in details["pairs"]} == {
        (golden, *window) for golden in (-1, 0, 1) for window in ((0, 0), (1, 1), (0, 1))
    }


def test_a_long_trace_holds_what_decided_and_every_notable_contradiction() -> None:
    said = [f"Frase {n}." for n in range(60)]
    table = {
        (SOUL, said[7]): Inference(0.1, 0.6, 0.3),
        (SOUL, said[8]): Inference(0.1, 0.7, 0.2),
        (SOUL, said[9]): ENTAILED,
    }
    (step,) = read(SOUL, " ".join(said), table=table).steps
    details: Any = step.details
    assert details["asked"] == 119 > SHORT
    assert len(details["pairs"]) <= 62
    assert [0, 7, 7, 0.1, 0.6, 0.3] in details["pairs"]
    assert [0, 8, 8, 0.1, 0.7, 0.2] in details["pairs"]
    assert [0, 9, 9, *ENTAILED] in details["pairs"]
    for place in range(60):
        assert any(pair[1] <= place <= pair[2] for pair in details["pairs"])


def test_what_the_model_cannot_read_whole_is_undecided() -> None:
    reading = read("Uno.", "Dos tres cuatro.", window=3)
    assert (reading.verdict, reading.reason_code, reading.leans_pass) == (None, "judge_cut", False)
    assert "too many" in reading.reasons[0]


def test_what_is_too_long_beside_the_needed_pairs_sinks_nothing() -> None:
    reading = read(BOTH, BOTH, window=8)
    assert reading.verdict == "pass"
    assert reading.steps[0].details["skipped"] == 4


def test_a_book_of_an_answer_is_undecided_before_anything_is_asked() -> None:
    model = TableModel()
    reading = EntailmentReader(model, [entry()]).read(BOTH, f"{SOUL} " * 5_000, "es")
    assert (reading.verdict, reading.reason_code, model.pairs) == (None, "judge_cut", [])
    assert "29997 pairs of sentences are too many" in reading.reasons[0]


def test_a_missing_model_has_no_opinion() -> None:
    reading = UnavailableReader("table", "it is gone").read(SOUL, SOUL, "es")
    assert (reading.verdict, reading.leans_pass) == (None, False)
    assert reading.reason_code == "judge_unreachable"
    assert "it is gone" in reading.reasons[0]


def test_a_model_that_does_not_work_has_no_opinion() -> None:
    class Broken(TableModel):
        def infer(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
            raise InfrastructureError("it is broken", hint="mend it")

    reading = EntailmentReader(Broken(), [entry()]).read(SOUL, "El alma fallece.", "es")
    assert (reading.verdict, reading.leans_pass) == (None, False)
    assert reading.reason_code == "judge_unreachable"
    assert "it is broken" in reading.reasons[0]


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_logits_that_are_no_numbers_are_refused(odd: float) -> None:
    with pytest.raises(InfrastructureError, match="gives no numbers"):
        inference_of(np.array([3.0, odd, -3.0]), (0, 1, 2))

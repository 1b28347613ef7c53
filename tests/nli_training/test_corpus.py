"""Pairs are split by premise, test rows stay out, and scores are what their names say."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nli_training.corpus import TIMES, build, load, save, sentences_of_tests
from nli_training.held_back import kind_of, long_answers
from nli_training.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILED, is_development
from nli_training.scores import area_under_curve, score
from nli_training.sources import (
    SENTENCES,
    begin,
    families,
    held_points,
    inferes,
    parallel,
    points,
    replies,
)
from nli_training.vocabulary import make_tokenizer

ROWS = [
    ("El alma muere.", "El alma deja de vivir.", "ent"),
    ("El alma muere.", "El alma vive.", "cnt"),
    ("Noé construyó un arca.", "El arca era grande.", "neutral"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with (tmp_path / "inferes_train.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["ID", "Premise", "Hypothesis", "Label"])
        writer.writerows((i, *row) for i, row in enumerate(ROWS))
    (tmp_path / "begin_dev_wow.tsv").write_text(
        "knowledge\tresponse\tbegin_label\n"
        "Bread is made of flour.\tYes, it is made of flour.\tFully attributable\n"
        'Bread is "old".\tI love bread.\tNot fully attributable\n',
        encoding="utf-8",
    )
    return tmp_path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The first families of every file."""
    folder = tmp_path / "sentences"
    folder.mkdir()
    for file in SENTENCES.rglob("*.jsonl"):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)[:12]
        target = folder / file.relative_to(SENTENCES)
        target.parent.mkdir(exist_ok=True)
        target.write_text("".join(lines), encoding="utf-8")
    return folder


def test_labelled_sets_are_read_with_their_classes(data: Path) -> None:
    read = list(inferes(data / "inferes_train.csv", set()))
    assert [pair.label for pair in read] == [ENTAILMENT, CONTRADICTION, CONTRADICTION, NEUTRAL]
    assert (read[2].premise, read[2].hypothesis) == (read[1].hypothesis, read[1].premise)
    assert {read[1].group, read[2].group} == {"El alma muere."}
    chat = list(begin(data / "begin_dev_wow.tsv", set()))
    assert [pair.label for pair in chat] == [ENTAILMENT, NOT_ENTAILED]
    assert chat[1].premise == 'Bread is "old".'


def test_sentences_of_test_rows_stay_out(data: Path, small: Path, tmp_path: Path) -> None:
    tests = tmp_path / "tests.jsonl"
    tests.write_text(
        json.dumps({"reference": " El alma muere. ", "text": "Noé hizo un arca."}) + "\n"
    )
    made = build(data, [tests], tmp_path / "cache", small)
    pairs = made.training + made.development
    texts = {text for pair in pairs for text in (pair.premise, pair.hypothesis)}
    assert "Noé construyó un arca." in texts
    assert sentences_of_tests([tests]) == {"El alma muere.", "Noé hizo un arca."}
    assert not sentences_of_tests([tests]) & texts


def test_no_group_is_trained_on_and_held_back(data: Path, small: Path, tmp_path: Path) -> None:
    made = build(data, [], tmp_path / "cache", small)
    training, held = ({p.group for p in part} for part in (made.training, made.development))
    assert training
    assert held
    assert not training & held
    assert build(data, [], tmp_path / "cache", small).training == made.training
    save(made.development, tmp_path / "held.jsonl")
    assert load(tmp_path / "held.jsonl") == made.development


def test_every_family_is_whole_and_no_sentence_has_two_classes() -> None:
    for file in sorted(SENTENCES.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            family = json.loads(line)
            kinds = [family["entailed"], family["contradicted"], family["neutral"]]
            assert all(kinds), f"{file.name}:{number}"
            told = [json.dumps(one, ensure_ascii=False) for kind in kinds for one in kind]
            assert len(set(told)) == len(told), f"{file.name}:{number}"
            assert json.dumps(family["golden"], ensure_ascii=False) not in told


def test_parallel_families_speak_every_language_to_every_other() -> None:
    langs = {pair.lang for pair in parallel()}
    assert langs == {"es", "en", "pt", "es-en", "es-pt", "en-es", "en-pt", "pt-es", "pt-en"}
    assert {pair.label for pair in families()} == {ENTAILMENT, NEUTRAL, CONTRADICTION}


def test_replies_keep_to_their_source_or_not_and_none_does_both() -> None:
    said = list(replies())
    assert {pair.label for pair in said} == {ENTAILMENT, NOT_ENTAILED}
    assert {pair.source for pair in said} == {"talk", "close"}
    assert len({(pair.premise, pair.hypothesis) for pair in said}) == len(said)
    assert {kind_of(pair) for pair in said} == {"chat", None}


def test_no_reply_that_keeps_to_its_source_speaks_of_the_speaker() -> None:
    own = re.compile(r"(?<!\w)(?<!war )(?<!type )(?<!part )(i|i'm|i've|my|me)(?!\w)", re.IGNORECASE)
    kept = [p.hypothesis for p in replies() if p.label == ENTAILMENT and p.lang == "en"]
    assert len(kept) > 1000
    assert [text for text in kept if own.search(text)] == []


def test_points_bear_on_their_own_opposite_and_on_no_other_point() -> None:
    made = list(points())
    golden = {pair.premise for pair in made if pair.source == "points:same"}
    for pair in made:
        own = pair.label != NEUTRAL
        assert own == (pair.source != "points:other")
        assert pair.premise in golden
    per_class = [sum(p.label == c for p in made) for c in (ENTAILMENT, NEUTRAL, CONTRADICTION)]
    assert per_class[0] * 3 == per_class[1] * 2 == per_class[2] * 3
    assert {kind_of(pair) for pair in made} == {None}


def test_long_answers_are_whole_or_have_one_point_turned_and_were_held_back() -> None:
    held = {tuple(point["golden"] for point in of): of for of, _ in held_points()}
    rows = list(long_answers())
    assert len(rows) == sum(len(of) + 1 for of in held.values()) > 50
    trained = {p.premise for p in points() if not is_development(p.group)}
    for goldens, of in held.items():
        assert not trained & set(goldens)
        own = [row for row in rows if row["reference"] == " ".join(goldens)]
        assert [row["label"] for row in own] == ["entailed"] + ["contradicted"] * len(of)
        for at, row in enumerate(own, -1):
            told = [point["opposed" if at == n else "same"] for n, point in enumerate(of)]
            assert all(sentence in row["text"] for sentence in told)
            assert len(row["text"]) == len(" ".join(told))


@pytest.mark.long
def test_labelled_rows_count_several_times_but_only_in_training(
    data: Path, small: Path, tmp_path: Path
) -> None:
    made = build(data, [], tmp_path / "cache", small)
    for name, times in TIMES.items():
        for pairs, wanted in ((made.training, times), (made.development, 1)):
            found = [p for p in pairs if p.source == name]
            assert all(found.count(pair) == wanted for pair in found)
    assert any(p.source in TIMES for p in made.training + made.development)


@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12),
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12),
)
def test_the_area_is_the_chance_to_stand_above(true: list[float], other: list[float]) -> None:
    wins = sum((a > b) + (a == b) / 2 for a in true for b in other)
    area = area_under_curve(np.array(true), np.array(other))
    assert area == pytest.approx(wins / len(true) / len(other))


def test_classes_right_are_counted_without_the_half_known() -> None:
    probabilities = np.array([[0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1], [0.1, 0.8, 0.1]])
    labels = np.array([ENTAILMENT, CONTRADICTION, NEUTRAL, NOT_ENTAILED])
    counted = score(probabilities, labels)
    assert counted.three == pytest.approx(2 / 3)
    assert counted.two == pytest.approx(3 / 4)
    assert counted.area == 1.0


def test_the_tokenizer_cuts_by_score_and_keeps_blanks() -> None:
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁el", "▁al", "ma", "▁alma", "▁", "a"]
    tokenizer = make_tokenizer(pieces, [0, 0, 0, 0, -1, -3, -3, -2, -5, -5])
    assert tokenizer.encode("  el   alma ").tokens == ["▁el", "▁alma"]
    assert tokenizer.encode("el 神").ids[-1] == 3

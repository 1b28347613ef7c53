"""Thresholds come from pairs, with their uncertainty; pairs that can't give any are refused."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.calibrate import (
    Calibration,
    Measured,
    calibrate,
    calibrate_measured,
    measure,
)
from jw_eval_store.judges.curves import svg_plot, text_plot
from jw_eval_store.judges.pairs import LabelledPair, read_pairs
from jw_eval_store.judges.profiles import shipped_profile, shipped_profiles
from jw_eval_store.judges.word_guard import WordGuard
from tests.embeddings.fakes import WordsEmbedder

IDENTITY = WordsEmbedder().identity


def pair(label: str, group: str = "a") -> LabelledPair:
    return LabelledPair("uno", "uno", label, "es", group)


def seen(label: str, score: float, *, literal: bool = False, group: str = "a") -> Measured:
    return Measured(pair(label, group), score, score, literal, literal)


def many(seed: int = 1) -> list[Measured]:
    """True pairs around 0.7, others around 0.3; a third of the true ones is near-literal."""
    chance = random.Random(seed)
    true = [seen("entailed", chance.gauss(0.7, 0.1), literal=i % 3 == 0) for i in range(300)]
    return true + [seen("neutral", chance.gauss(0.3, 0.1), literal=i % 9 == 0) for i in range(300)]


def calibrated(measured: list[Measured], wanted: float) -> Calibration:
    return calibrate_measured(measured, IDENTITY, wanted, resamples=40)


def test_thresholds_keep_the_wanted_rates() -> None:
    found = calibrated(many(), 0.01)
    at = {point.threshold: point for point in found.curve}
    assert at[found.profile.pass_at].others_passed <= 0.01
    assert at[found.profile.reject].true_failed <= 0.01
    assert at[round(found.profile.reject + 0.01, 2)].true_failed > 0.01
    assert 0.3 < found.profile.reject < 0.6
    for name in ("reject", "pass_at"):
        low, high = found.profile.intervals[name]
        assert low <= getattr(found.profile, name) <= high


def test_a_lower_rate_asks_for_more() -> None:
    strict, lax = (calibrated(many(), rate).profile for rate in (0.005, 0.1))
    assert strict.reject < lax.reject


def test_the_wanted_rate_holds_in_every_set() -> None:
    easy = [seen("entailed", 0.9, group="easy") for _ in range(500)]
    hard = [seen("entailed", 0.2 + i / 100, group="hard") for i in range(50)]
    others = [seen("neutral", 0.1, group=group) for group in ("easy", "hard")]
    found = calibrated(easy + hard + others, 0.01)
    assert found.profile.reject <= 0.2


def test_a_contradiction_that_slips_through_raises_the_threshold() -> None:
    measured = [seen("entailed", 0.95, literal=True) for _ in range(50)]
    measured += [seen("contradicted", 0.9, literal=True) for _ in range(5)]
    assert calibrated(measured, 0.01).profile.pass_at > 0.9


def test_the_same_pairs_give_the_same_profile() -> None:
    first, second = (calibrated(many(), 0.02).profile for _ in range(2))
    assert first == second


def test_pairs_are_measured_through_every_stage() -> None:
    pairs = [
        LabelledPair("El alma muere.", "El alma muere.", "entailed", "es"),
        LabelledPair("El alma muere.", "El alma no muere.", "contradicted", "es"),
    ]
    same, contradiction = measure(pairs, WordsEmbedder())
    assert (same.score, same.clean, same.literal) == (1.0, True, True)
    assert contradiction.score > 0.8
    assert (contradiction.clean, contradiction.literal) == (False, False)
    profile = calibrate(pairs, WordsEmbedder(), 0.01).profile
    assert profile.provenance["guard"] == WordGuard().identity_hash


@pytest.mark.parametrize("labels", [["entailed"], ["neutral"]])
def test_pairs_of_one_kind_are_refused(labels: list[str]) -> None:
    with pytest.raises(UsageError, match="one kind"):
        calibrated([seen(label, 0.5) for label in labels], 0.01)


@pytest.mark.parametrize("rate", [0.0, 1.0, -1.0, 2.0])
def test_a_rate_that_is_none_is_refused(rate: float) -> None:
    with pytest.raises(UsageError, match="rate"):
        calibrated(many(), rate)


def test_the_trade_off_is_drawn() -> None:
    found = calibrated(many(), 0.01)
    drawn = text_plot(found)
    assert sum("<- " in line for line in drawn.splitlines()) >= 1
    assert "<- reject" in drawn
    assert "pass_at" in drawn
    svg = ET.fromstring(svg_plot(found))
    assert len(svg.findall("{http://www.w3.org/2000/svg}polyline")) == 4


ROWS = [
    {"reference": "El alma, muere.", "text": "Muere.", "label": "Entailed", "language": "S"},
    {"reference": "Uno", "text": "Dos", "label": "contradicted", "language": "en", "set": "x"},
]


def test_pairs_are_read_from_every_kind_of_file(tmp_path: Path) -> None:
    import csv

    jsonl = tmp_path / "pairs.jsonl"
    jsonl.write_text("\n".join(map(json.dumps, ROWS)), "utf-8-sig")
    for suffix, delimiter in ((".csv", ","), (".tsv", "\t")):
        with (tmp_path / f"pairs{suffix}").open("w", newline="") as file:
            names = ["reference", "text", "label", "language", "set"]
            writer = csv.DictWriter(file, names, delimiter=delimiter)
            writer.writeheader()
            writer.writerows(ROWS)
        assert read_pairs(tmp_path / f"pairs{suffix}") == read_pairs(jsonl)
    first, second = read_pairs(jsonl)
    assert (first.language, first.is_true, second.is_contradicted) == ("es", True, True)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"reference": "x", "text": "y"}', "line 1: label is missing"),
        ("a.jsonl", '{"reference": "x", "text": " ", "label": "same"}', "text is missing"),
        ("a.jsonl", '{"reference": "x", "text": "y", "label": "perhaps"}', "unknown label"),
        ("a.jsonl", "{", "line 1: no JSON"),
        ("a.jsonl", "[]", "not a JSON object"),
        ("a.jsonl", "", "no pairs"),
        ("a.csv", "reference,text\nx,y\n", "line 2: label is missing"),
        ("a.txt", "x", "unknown kind"),
        (
            "a.jsonl",
            '{"reference": NaN, "text": "y", "label": "same"}',
            "reference is no text: nan",
        ),
        ("a.jsonl", '{"reference": "x", "text": ["y"], "label": "same"}', "text is no text"),
        ("a.jsonl", '{"reference": "x", "text": "y", "label": NaN}', "label is no text: nan"),
        (
            "a.jsonl",
            '{"reference": "x", "text": "y", "label": "no", "kind": {}}',
            "kind is no text",
        ),
        ("a.jsonl", '{"reference": "x", "text": "\\ud800", "label": "no"}', "half a character"),
        ("a.jsonl", "\n" + "[" * 100_000, "line 2: no JSON"),
        ("a.csv", f"reference,text,label\nx,{'y' * 200_000},no\n", "after line 1: field larger"),
    ],
)
def test_a_bad_file_of_pairs_is_refused_with_its_line(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=message):
        read_pairs(tmp_path / name)


def test_signs_that_only_look_like_line_ends_stay_in_their_pair(tmp_path: Path) -> None:
    text = "uno\u2028dos\x85tres\x0bcuatro"
    jsonl, table = tmp_path / "a.jsonl", tmp_path / "a.csv"
    jsonl.write_text(json.dumps(ROWS[1] | {"text": text}, ensure_ascii=False) + "\r\n")
    table.write_text(f"reference,text,label\nUno,{text},no\n")
    assert [pair.text for file in (jsonl, table) for pair in read_pairs(file)] == [text, text]


@pytest.mark.parametrize(("label", "is_true"), [(0, False), (False, False), (1, True)])
def test_a_label_may_be_a_figure_and_a_blank_kind_is_none(
    tmp_path: Path, label: object, is_true: bool
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(ROWS[0] | {"label": label, "kind": " ", "set": " "}))
    (found,) = read_pairs(file)
    assert (found.is_true, found.kind) == (is_true, "doctrine")


def test_a_missing_file_of_pairs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be read"):
        read_pairs(tmp_path / "none.csv")


def test_the_shipped_profile_belongs_to_the_guard_and_embedder_in_use() -> None:
    (profile,) = shipped_profiles()
    assert shipped_profile(profile.embedder) == profile
    assert profile.provenance["guard"] == WordGuard().identity_hash
    other = profile.embedder.model_copy(update={"revision": "9"})
    assert shipped_profile(other) is None


def test_the_shipped_profile_says_what_it_was_measured_on() -> None:
    (profile,) = shipped_profiles()
    sets = profile.provenance["sets"]
    assert isinstance(sets, dict)
    for entry in sets.values():
        assert isinstance(entry, dict)
        assert entry["licence"] == "CC BY 4.0"
        labels = entry["labels"]
        assert isinstance(labels, dict)
        for label, counts in labels.items():
            assert isinstance(counts, dict)
            if label not in ("entailed", "fully attributable"):
                assert counts["passed"] == 0

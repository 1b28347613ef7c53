"""Pairs read from files: labelled sets given as arguments, and our own sentence families.

A family is a golden sentence with sentences that follow from it, contradict it, or do neither. The
first two of those that follow are paraphrases, so the golden sentence follows from them too; what
contradicts the golden sentence contradicts its paraphrase. Two other forms: replies to a source
(`sentences/chat`), and long answers cut into points that don't bear on each other (`points`).
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from nli_training.pairs import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NOT_ENTAILED,
    Pair,
    is_development,
)
from nli_training.vocabulary import LANGUAGES

SENTENCES = Path(__file__).parent.parent / "sentences"
PASSED = ("pass", "same", "true", "yes")
INFERES = {"ent": ENTAILMENT, "neutral": NEUTRAL, "neu": NEUTRAL, "cnt": CONTRADICTION}


def inferes(path: Path, seen: set[str]) -> Iterator[Pair]:
    """InferES (CC BY 4.0), without the premises of the test rows in `seen`; what contradicts is
    contradicted, so these pairs come the other way round as well.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            premise, hypothesis = row["Premise"].strip(), row["Hypothesis"].strip()
            if premise and hypothesis and premise not in seen:
                label = INFERES[row["Label"]]
                yield Pair(premise, hypothesis, label, "es", "inferes", premise)
                if label == CONTRADICTION:
                    yield Pair(hypothesis, premise, label, "es", "inferes reversed", premise)


def begin(path: Path, seen: set[str]) -> Iterator[Pair]:
    """BEGIN (CC BY 4.0): knowledge, and a chatbot's response that keeps to it or not."""
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            knowledge, response = row["knowledge"].strip(), row["response"].strip()
            label = ENTAILMENT if row["begin_label"] == "Fully attributable" else NOT_ENTAILED
            if knowledge and response and knowledge not in seen:
                yield Pair(knowledge, response, label, "en", "begin", knowledge)


def families(folder: Path = SENTENCES) -> Iterator[Pair]:
    """All families of one language, file by file."""
    for file in sorted(folder.glob("??_*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            family = json.loads(line)
            yield from _family(family, family["lang"], file.stem)


def _family(family: dict[str, Any], lang: str, source: str) -> Iterator[Pair]:
    golden = family["golden"]
    same, group = family["entailed"], f"{source}:{golden}"

    def pair(premise: str, hypothesis: str, label: int) -> Pair:
        return Pair(premise, hypothesis, label, lang, source, group)

    yield from (pair(golden, one, ENTAILMENT) for one in same)
    yield pair(same[0], golden, ENTAILMENT)
    if len(same) > 1:
        yield pair(same[0], same[1], ENTAILMENT)
    for place, opposed in enumerate(family["contradicted"]):
        yield pair(golden, opposed, CONTRADICTION)
        again = (opposed, golden) if place % 2 else (same[0], opposed)
        yield pair(*again, CONTRADICTION)
    yield from (pair(golden, one, NEUTRAL) for one in family["neutral"])
    yield from (pair(same[0], one, NEUTRAL) for one in family["neutral"])


def parallel(folder: Path = SENTENCES) -> Iterator[Pair]:
    """Families told in three languages: golden in each, candidates in each."""
    classes = {"entailed": ENTAILMENT, "contradicted": CONTRADICTION, "neutral": NEUTRAL}
    for line in (folder / "parallel_doctrine.jsonl").read_text(encoding="utf-8").splitlines():
        family = json.loads(line)
        group = f"parallel:{family['golden']['en']}"
        for (kind, label), a, b in product(classes.items(), LANGUAGES, LANGUAGES):
            for one in family[kind]:
                lang = a if a == b else f"{a}-{b}"
                yield Pair(family["golden"][a], one[b], label, lang, "parallel", group)
        for a, b in product(LANGUAGES, LANGUAGES):
            if a != b:
                golden = family["golden"]
                yield Pair(golden[a], golden[b], ENTAILMENT, f"{a}-{b}", "parallel", group)


def replies(folder: Path = SENTENCES) -> Iterator[Pair]:
    """Sources with replies that keep to them, and replies that add or alter something: as chatbots
    talk (`talk`), and hard ones, nearly alike or in quite other words (`close`).
    """
    for file in sorted((folder / "chat").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            family = json.loads(line)
            source = family["source"]
            for kind, label in (("kept", ENTAILMENT), ("added", NOT_ENTAILED)):
                for reply in family[kind]:
                    yield Pair(source, reply, label, family["lang"], file.stem, source)


def points(folder: Path = SENTENCES) -> Iterator[Pair]:
    """Long answers: each point with its own paraphrase and opposite, and with other points."""
    for of, lang in _answers(folder):
        yield from _points(of, lang)


def held_points(folder: Path = SENTENCES) -> Iterator[tuple[list[dict[str, str]], str]]:
    """The points of each answer that was held back, and its language."""
    return ((of, lang) for of, lang in _answers(folder) if is_development(_group(of)))


def _answers(folder: Path) -> Iterator[tuple[list[dict[str, str]], str]]:
    for file in sorted((folder / "points").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            family = json.loads(line)
            yield family["points"], family["lang"]


def _group(of: list[dict[str, str]]) -> str:
    return f"points:{of[0]['golden']}"


def _points(of: list[dict[str, str]], lang: str) -> Iterator[Pair]:
    def pair(premise: str, hypothesis: str, label: int, kind: str) -> Pair:
        return Pair(premise, hypothesis, label, lang, f"points:{kind}", _group(of))

    for place, own in enumerate(of):
        golden, same, opposed = own["golden"], own["same"], own["opposed"]
        yield pair(golden, same, ENTAILMENT, "same")
        yield pair(same, golden, ENTAILMENT, "same")
        yield pair(golden, opposed, CONTRADICTION, "opposed")
        yield pair(same, opposed, CONTRADICTION, "opposed")
        for step, kind in enumerate(("golden", "same", "opposed"), 1):
            other = of[(place + step) % len(of)]
            yield pair(golden, other[kind], NEUTRAL, "other")


def golden_sentences(folder: Path = SENTENCES) -> Iterator[tuple[str, str, str]]:
    """Every golden sentence with its language and group: what the changes are made on."""
    for file in sorted(folder.glob("??_*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            family = json.loads(line)
            group = f"{file.stem}:{family['golden']}"
            yield family["golden"], family["lang"], group
            yield family["entailed"][0], family["lang"], group
    for line in (folder / "parallel_doctrine.jsonl").read_text(encoding="utf-8").splitlines():
        golden = json.loads(line)["golden"]
        yield from ((golden[lang], lang, f"parallel:{golden['en']}") for lang in LANGUAGES)


def own_labels(file: Path) -> Iterator[Pair]:
    """What `jw-eval labels export` wrote: people's verdicts on answers."""
    classes = {"entailed": ENTAILMENT, "contradicted": CONTRADICTION, "neutral": NEUTRAL}
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        label = classes.get(row["label"], ENTAILMENT if row["label"] in PASSED else NOT_ENTAILED)
        lang = str(row.get("lang") or "es")[:2]
        yield Pair(row["reference"], row["text"], label, lang, "labels", row["reference"])

"""Development pairs as labelled pairs of jw-eval: what the shipped thresholds are found on.

A pair's kind is the kind of text that it stands for; thresholds don't carry over between kinds.
Only sentences that people wrote count: those of a grammar are too easy, and thresholds found on
them too low.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from nli_training.pairs import CONTRADICTION, ENTAILMENT, Pair
from nli_training.sources import SENTENCES, held_points

LABELS = ("entailed", "neutral", "contradicted", "not fully attributable")
KINDS = {
    "doctrine": ("es_doctrine", "en_doctrine", "pt_doctrine", "parallel"),
    "encyclopaedia": ("inferes", "es_general"),
    "captions": ("pt_captions", "en_captions", "pt_general", "en_general"),
    "chat": ("begin", "talk"),
}
TRANSLATED = ">"


def kind_of(pair: Pair) -> str | None:
    """The kind of text; none for pairs that stand for no text that people write."""
    name = pair.source.split(":")[0].split(TRANSLATED)[0]
    return next((kind for kind, sources in KINDS.items() if name in sources), None)


def labelled(pairs: list[Pair]) -> Iterator[dict[str, str]]:
    """Rows with reference, text, label, lang, kind, set. Pairs across languages count as the
    golden answer's; rule-based translations are left out where people wrote in that language.
    """
    for pair in pairs:
        kind = kind_of(pair)
        if kind is None or (TRANSLATED in pair.source and pair.lang != "pt"):
            continue
        yield {
            "reference": pair.premise,
            "text": pair.hypothesis,
            "label": LABELS[pair.label],
            "lang": pair.lang[:2],
            "kind": kind,
            "set": f"held back: {pair.source}",
            "licence": "CC BY 4.0" if pair.source.startswith(("inferes", "begin")) else "MIT",
        }


def long_answers(folder: Path = SENTENCES) -> Iterator[dict[str, str]]:
    """Whole answers made of the points that were held back: told in other words and in another
    order, or with one point turned into its opposite.
    """
    for number, (points, lang) in enumerate(held_points(folder)):
        golden = " ".join(point["golden"] for point in points)
        order = random.Random(number).sample(range(len(points)), len(points))
        turned = [None, *range(len(points))]
        for wrong in turned:
            said = (points[at]["opposed" if at == wrong else "same"] for at in order)
            yield {
                "reference": golden,
                "text": " ".join(said),
                "label": LABELS[ENTAILMENT if wrong is None else CONTRADICTION],
                "lang": lang,
                "kind": "doctrine",
                "set": "long answers",
                "licence": "MIT",
            }


def write_rows(rows: Iterable[dict[str, str]], file: Path) -> None:
    """JSON lines for `jw-eval judge calibrate` and the benchmark."""
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")

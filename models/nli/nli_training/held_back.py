"""Development pairs as labelled pairs of jw-eval: what the shipped thresholds are found on.

A pair's kind is the kind of text that it stands for; thresholds don't carry over between kinds.
Only sentences that people wrote count: those of a grammar are too easy, and thresholds found on
them too low.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from nli_training.pairs import Pair

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


def write_labelled(pairs: list[Pair], file: Path) -> None:
    """JSON lines for `jw-eval judge calibrate`."""
    lines = [json.dumps(row, ensure_ascii=False) for row in labelled(pairs)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")

"""The thresholds that are shipped: `python -m benchmarks.nli.thresholds HELD_BACK.jsonl OUT.json`.

Found on development pairs only, as `jw-eval judge calibrate` finds one's own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from jw_eval_store.domain.inference import InferenceThresholds
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
from jw_eval_store.judges.inference.calibrate import (
    InferredPair,
    calibrate_inference,
    measure_inference,
)
from jw_eval_store.judges.inference.embedded import EmbeddedModel
from jw_eval_store.judges.pairs import read_pairs

WANTED = {"doctrine": 0.01, "captions": 0.005, "chat": 0.015, "encyclopaedia": 0.02}
"""Share of the pairs that must not pass. Doctrine: a wrong pass costs most there; captions and
chat: nearly all of those held back are our own, and of others' two to nine times as many pass."""

LEAST = 100
"""So many pairs that must not pass are needed for a threshold that others rely on."""


def main(arguments: Sequence[str]) -> None:
    """Write the entries, and print a line for each."""
    parser = argparse.ArgumentParser(prog="benchmarks.nli.thresholds", description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args(arguments)
    model = EmbeddedModel()
    measured = measure_inference(read_pairs(options.pairs), model, Usem3Embedder())
    found = [
        entry
        for kind, wanted in WANTED.items()
        for entry in calibrate_inference(_of(kind, measured), model, wanted).entries
    ]
    found = [_known(entry) for entry in found if entry.others_passed.total >= LEAST]
    entries = [entry.model_dump(mode="json") for entry in found]
    options.out.write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(
        "kind, language: pass, fail; others passed, true passed, true failed, contradicted failed"
    )
    for entry in found:
        counts = (entry.others_passed, entry.true_passed, entry.true_failed)
        shown = ", ".join(f"{c.hits}/{c.total}" for c in (*counts, entry.contradictions_failed))
        print(f"{entry.kind}, {entry.language}: {entry.pass_at}, {entry.fail_at}; {shown}")
        print("".join(f"  {reason}\n" for reason in entry.reasons), end="")


def _known(entry: InferenceThresholds) -> InferenceThresholds:
    """Without a threshold to fail by where no pair is known to contradict: nothing supports it."""
    if entry.contradictions_failed.total:
        return entry
    none = entry.true_failed.model_copy(update={"hits": 0, "lower": 0.0})
    return entry.model_copy(update={"fail_at": None, "true_failed": none})


def _of(kind: str, measured: Sequence[InferredPair]) -> list[InferredPair]:
    return [one for one in measured if one.pair.kind == kind]


if __name__ == "__main__":
    main(sys.argv[1:])

"""How well the contradiction model does, beside cosine and guard: `python -m benchmarks.nli`.

    python -m benchmarks.nli PAIRS.jsonl DOCTRINE.jsonl [--judge] [--sample 6]

Thresholds are the shipped ones, found on development pairs; the rows given here decide nothing.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.nli.judged import print_judged
from benchmarks.nli.kinds import grouped, with_kind
from benchmarks.nli.rows import heading, line
from benchmarks.nli.stages import Remembering, stages
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
from jw_eval_store.judges.inference.embedded import EmbeddedModel
from jw_eval_store.judges.inference.interface import InferenceModel
from jw_eval_store.judges.inference.profiles import shipped_inference_profile
from jw_eval_store.judges.pairs import LabelledPair, read_pairs
from jw_eval_store.judges.profiles import shipped_profile
from jw_eval_store.judges.sentences import SentenceComparer
from jw_eval_store.judges.word_guard import WordGuard
from jw_eval_store.layers.semantic_tools import SemanticTools

SHORT = 30
"""Words of a short pair."""


def main(arguments: Sequence[str]) -> None:
    """Print a table per set, as Markdown."""
    parser = argparse.ArgumentParser(prog="benchmarks.nli", description=__doc__)
    parser.add_argument("pairs", nargs="+", type=Path)
    parser.add_argument("--judge", action="store_true", help="with a small real model, on a sample")
    parser.add_argument("--sample", type=int, default=6, help="judged per set and truth")
    options = parser.parse_args(arguments)
    pairs = [with_kind(pair) for path in options.pairs for pair in read_pairs(path)]
    embedder, model = Usem3Embedder(), Remembering(EmbeddedModel())
    profile, shipped = shipped_profile(embedder.identity), shipped_inference_profile()
    assert shipped is not None
    tools = SemanticTools(WordGuard(), SentenceComparer(embedder), profile)
    entries = shipped.entries
    print(
        f"{model.label}, revision {model.revision.removeprefix('sha256:')[:12]}; {len(pairs)} pairs"
    )
    print(f"{_milliseconds(EmbeddedModel(), pairs):.0f} ms of processor time a short pair (median)")
    found = stages(tools, model, entries)
    for name, group in grouped(pairs).items():
        print(heading(name))
        for stage, decide in found.items():
            print(line(stage, [decide(pair) for pair in group]), flush=True)
    if options.judge:
        print_judged(pairs, found, options.sample)


def _milliseconds(model: InferenceModel, pairs: Sequence[LabelledPair]) -> float:
    short = [p for p in pairs if len(f"{p.reference} {p.text}".split()) <= SHORT][:60]
    model.infer([(short[0].reference, short[0].text)])
    spent = []
    for pair in short:
        started = time.process_time()
        model.infer([(pair.reference, pair.text)])
        spent.append(1000 * (time.process_time() - started))
    return statistics.median(spent)


if __name__ == "__main__":
    main(sys.argv[1:])

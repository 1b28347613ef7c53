"""How far L3 gets on labelled pairs, stage by stage: `python -m benchmarks.l3 PAIRS.jsonl ...`.

Pairs are split in halves by reference; thresholds are calibrated on one, figures are of the other.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.l3.calls import print_calls
from benchmarks.l3.figures import figures, heading
from benchmarks.l3.groups import for_tuning, group
from benchmarks.l3.judged import SPECS, print_judged
from benchmarks.l3.stages import COSINE, Stage, cosine_stage, stages, timed
from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.domain.judging import SPECIFIED_EMBEDDER
from jw_eval_store.judges.calibrate import calibrate
from jw_eval_store.judges.embedders.sentence_transformers import SentenceTransformerEmbedder
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
from jw_eval_store.judges.pairs import LabelledPair, read_pairs
from jw_eval_store.judges.sentences import SentenceComparer
from jw_eval_store.judges.word_guard import WordGuard
from jw_eval_store.layers.semantic_tools import SemanticTools


def main(arguments: Sequence[str]) -> None:
    """Print what the options ask for, as Markdown."""
    options = _options(arguments)
    pairs = [pair for path in options.pairs for pair in read_pairs(path)]
    tools = _tools(pairs, options.false_passes, calibrated=not options.all)
    if not options.all:
        pairs = [pair for pair in pairs if not for_tuning(pair)]
    if options.only != "judged":
        _print_stages(pairs, tools, _specified(options.minilm))
    if options.only != "stages":
        print_calls()
        chosen = options.strategy or list(SPECS)
        print_judged(pairs, stages(tools, pairs), chosen, options.sample, options.claims)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.l3", description=__doc__)
    parser.add_argument("pairs", nargs="+", type=Path)
    parser.add_argument("--false-passes", type=float, default=0.01)
    parser.add_argument("--all", action="store_true", help="report every pair, shipped profile")
    parser.add_argument("--only", choices=("stages", "judged"), help="one part of the figures")
    parser.add_argument("--minilm", default=SPECIFIED_EMBEDDER, help="its name, or its folder")
    parser.add_argument("--strategy", action="append", choices=list(SPECS), help="default: all")
    parser.add_argument("--sample", type=int, default=2, help="judged per set, length and truth")
    parser.add_argument("--claims", type=int, default=2, help="of these, per length and truth")
    return parser.parse_args(arguments)


def _tools(pairs: Sequence[LabelledPair], rate: float, *, calibrated: bool) -> SemanticTools:
    from jw_eval_store.judges.profiles import shipped_profile

    embedder = Usem3Embedder()
    profile = shipped_profile(embedder.identity)
    if calibrated:
        profile = calibrate([p for p in pairs if for_tuning(p)], embedder, rate).profile
    assert profile is not None
    print(f"{embedder.identity.label}: reject below {profile.reject}, pass from {profile.pass_at}")
    return SemanticTools(WordGuard(), SentenceComparer(embedder), profile)


def _specified(model: str) -> Mapping[str, Stage]:
    """The specification's own embedder, where this machine has it."""
    try:
        comparer = SentenceComparer(SentenceTransformerEmbedder(model))
    except JwEvalError as error:
        print(f"no row for {model}: {error}")
        return {}
    return {f"{COSINE}, {comparer.identity.model}": cosine_stage(comparer)}


def _print_stages(
    pairs: Sequence[LabelledPair], tools: SemanticTools, more: Mapping[str, Stage]
) -> None:
    for title in sorted({group(pair) for pair in pairs}):
        members = [pair for pair in pairs if group(pair) == title]
        print(f"\n{title}: {len(members)} pairs\n{heading()}")
        for name, stage in {**more, **stages(tools, members)}.items():
            print(figures(name, [timed(stage, pair) for pair in members]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

"""How far L3 gets without a judge, stage by stage: `python -m benchmarks.l3 PAIRS.jsonl ...`.

Pairs are split in halves by reference; thresholds are calibrated on one, figures are of the other.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.l3.figures import Decided, Decision, figures, heading
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.matching import ThresholdProfile
from jw_eval_store.domain.outputs import AgentOutput, Finding
from jw_eval_store.judges.calibrate import calibrate
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
from jw_eval_store.judges.pairs import LabelledPair, read_pairs
from jw_eval_store.judges.sentences import SentenceComparer
from jw_eval_store.judges.word_guard import WordGuard
from jw_eval_store.layers.semantic import evaluate
from jw_eval_store.layers.semantic_tools import SemanticTools

Stage = Callable[[LabelledPair], Decision]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.l3", description=__doc__)
    parser.add_argument("pairs", nargs="+", type=Path)
    parser.add_argument("--false-passes", type=float, default=0.01)
    parser.add_argument("--all", action="store_true", help="report every pair, shipped profile")
    options = parser.parse_args(arguments)
    pairs = [pair for path in options.pairs for pair in read_pairs(path)]
    tools = _tools(pairs, options.false_passes, calibrated=not options.all)
    if not options.all:
        pairs = [pair for pair in pairs if not _for_tuning(pair)]
    for group in sorted({_group(pair) for pair in pairs}):
        members = [pair for pair in pairs if _group(pair) == group]
        print(f"\n{group}: {len(members)} pairs\n{heading()}")
        for name, stage in _stages(tools, members).items():
            print(figures(name, [_timed(stage, pair) for pair in members]))


def _tools(pairs: Sequence[LabelledPair], rate: float, *, calibrated: bool) -> SemanticTools:
    from jw_eval_store.judges.profiles import shipped_profile

    embedder = Usem3Embedder()
    profile = shipped_profile(embedder.identity)
    if calibrated:
        profile = calibrate([p for p in pairs if _for_tuning(p)], embedder, rate).profile
    assert profile is not None
    print(f"{embedder.identity.label}: reject below {profile.reject}, pass from {profile.pass_at}")
    return SemanticTools(WordGuard(), SentenceComparer(embedder), profile)


def _for_tuning(pair: LabelledPair) -> bool:
    """One half of the references, the same in every run."""
    return hashlib.sha256(pair.reference.encode()).digest()[0] % 2 == 0


def _group(pair: LabelledPair) -> str:
    return f"{pair.group or 'doctrine'} ({pair.language.split('-')[0]})"


def _timed(stage: Stage, pair: LabelledPair) -> Decided:
    started = time.perf_counter()
    return Decided(pair, stage(pair), time.perf_counter() - started)


def _stages(tools: SemanticTools, pairs: Sequence[LabelledPair]) -> dict[str, Stage]:
    comparer, profile = tools.comparer, tools.profile
    assert comparer is not None
    assert profile is not None

    def cosine(pair: LabelledPair) -> Decision:
        near = comparer.compare(pair.reference, pair.text).cosine
        return "pass" if near >= 0.78 else "fail" if near < 0.55 else "undecided"

    def gate(pair: LabelledPair) -> Decision:
        topic = comparer.compare(pair.reference, pair.text)
        return "fail" if max(topic.score, topic.cosine) < profile.reject else "undecided"

    def guarded(pair: LabelledPair) -> Decision:
        topic = comparer.compare(pair.reference, pair.text)
        if max(topic.score, topic.cosine) < profile.reject:
            return "fail"
        clean = not tools.guard.flags(topic, pair.language)
        return "pass" if clean and topic.score >= _passing(profile) else "undecided"

    stages = {
        "cosine 0.78 / 0.55": cosine,
        "topic gate": gate,
        "gate + guard": guarded,
        "+ near-literal (L3)": lambda pair: _layer(pair, tools, ()),
    }
    if any(not pair.group for pair in pairs):
        stages["+ counter answers"] = lambda pair: _layer(pair, tools, _counters(pair, pairs))
    return stages


def _passing(profile: ThresholdProfile) -> float:
    return profile.pass_at


def _counters(pair: LabelledPair, pairs: Sequence[LabelledPair]) -> tuple[str, ...]:
    """Other wrong answers to the same question that the set holds."""
    return tuple(
        each.text
        for each in pairs
        if each.reference == pair.reference and each.is_contradicted and each.text != pair.text
    )


def _layer(pair: LabelledPair, tools: SemanticTools, counters: tuple[str, ...]) -> Decision:
    case = SemanticCase.model_validate(
        {
            "id": "pair",
            "agent": "none",
            "input": {"language": pair.language.split("-")[0]},
            "expected": {"golden_answer": pair.reference, "counter_answers": counters},
        }
    )
    result = evaluate(case, AgentOutput(findings=(Finding(text=pair.text),)), tools)
    if result.verdict == "pass":
        return "pass"
    return "fail" if result.verdict == "fail" else "undecided"


if __name__ == "__main__":
    main(sys.argv[1:])

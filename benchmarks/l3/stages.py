"""The stages of L3 that need no judge, each as a function of a pair."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from benchmarks.l3.figures import Decided, Decision
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.outputs import AgentOutput, Finding
from jw_eval_store.judges.pairs import LabelledPair
from jw_eval_store.layers.semantic import evaluate
from jw_eval_store.layers.semantic_tools import SemanticTools, TopicComparer

Stage = Callable[[LabelledPair], Decision]
COSINE = "cosine 0.78 / 0.55"
L3 = "+ near-literal (L3)"


def timed(stage: Stage, pair: LabelledPair) -> Decided:
    """A stage's decision with its processor time, which other work on the machine leaves alone."""
    started = time.process_time()
    return Decided(pair, stage(pair), time.process_time() - started)


def cosine_stage(comparer: TopicComparer) -> Stage:
    """The specification's thresholds on an embedder's cosine."""

    def cosine(pair: LabelledPair) -> Decision:
        near = comparer.compare(pair.reference, pair.text).cosine
        return "pass" if near >= 0.78 else "fail" if near < 0.55 else "undecided"

    return cosine


def stages(tools: SemanticTools, pairs: Sequence[LabelledPair]) -> dict[str, Stage]:
    """Each stage by name; counter answers where the pairs are doctrine's."""
    comparer, profile = tools.comparer, tools.profile
    assert comparer is not None
    assert profile is not None

    def gate(pair: LabelledPair) -> Decision:
        topic = comparer.compare(pair.reference, pair.text)
        return "fail" if max(topic.score, topic.cosine) < profile.reject else "undecided"

    def guarded(pair: LabelledPair) -> Decision:
        topic = comparer.compare(pair.reference, pair.text)
        if max(topic.score, topic.cosine) < profile.reject:
            return "fail"
        clean = not tools.guard.flags(topic, pair.language)
        return "pass" if clean and topic.score >= profile.pass_at else "undecided"

    found: dict[str, Stage] = {
        COSINE: cosine_stage(comparer),
        "topic gate": gate,
        "gate + guard": guarded,
        L3: lambda pair: _layer(pair, tools, ()),
    }
    if any(not pair.group for pair in pairs):
        found["+ counter answers"] = lambda pair: _layer(pair, tools, _counters(pair, pairs))
    return found


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

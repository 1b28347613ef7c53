"""L3: the answer means what the golden answer means.

Cosine can't see a contradiction: "el alma no muere" is nearer to "el alma muere" than a paraphrase
is. So cosine may reject what is off the topic, and alone never passes anything. The stages: gates,
topic, guard, near-literal agreement, a cross-encoder where there is one, judges; what none of them
decides is undecided.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.domain.evaluations import JudgeStep, LayerResult, ReasonCode, Verdict
from jw_eval_store.domain.matching import Flag, TopicMatch
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.layers.semantic_gates import check_gates
from jw_eval_store.layers.semantic_judges import decided_alone, waits_for, weighed
from jw_eval_store.layers.semantic_summary import what_is_open
from jw_eval_store.layers.semantic_thresholds import Thresholds, thresholds_for
from jw_eval_store.layers.semantic_tools import EntailmentOpinion, SemanticTools

LAYER_VERSION = "2"
"""Grows whenever a rule of this layer may give another verdict."""


@dataclass
class _Walk:
    """What is gathered on the way to a verdict on one output."""

    case: SemanticCase
    output: AgentOutput
    tools: SemanticTools
    steps: list[JudgeStep] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    gate_doubts: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    topic: TopicMatch | None = None
    entailment: EntailmentOpinion | None = None

    @property
    def is_clean(self) -> bool:
        """Whether gates and guard found no firm difference, and it was looked for."""
        firm = any(flag.firm for flag in self.flags)
        return self.topic is not None and not self.gate_doubts and not firm

    def end(
        self, verdict: Verdict, score: float | None = None, code: ReasonCode | None = None
    ) -> LayerResult:
        """The result, with all that was gathered."""
        return LayerResult(
            case_id=self.case.id,
            layer="l3",
            verdict=verdict,
            score=self.topic_score if score is None else score,
            reasons=tuple(self.reasons),
            reason_code=code,
            details=self.details,
            steps=tuple(self.steps),
        )

    @property
    def topic_score(self) -> float | None:
        """The topic score as a score of 0..1."""
        return None if self.topic is None else min(1.0, max(0.0, self.topic.score))


def evaluate(case: SemanticCase, output: AgentOutput, tools: SemanticTools) -> LayerResult:
    """The verdict on one output. Pure but for what the tools do; never passes what is in doubt."""
    walk = _Walk(case, output, tools)
    gates = check_gates(case, output)
    walk.steps.extend(gates.steps)
    if gates.failures:
        walk.reasons.extend(gates.failures)
        return walk.end("fail")
    walk.gate_doubts = gates.doubts
    _compare(walk)
    if case.judge.primary == "embeddings":
        decided = _without_model(walk)
        if decided is not None:
            return decided
    else:
        _infer(walk)
    return _by_judges(walk)


def _without_model(walk: _Walk) -> LayerResult | None:
    """What the stages before the model decide; none where they don't."""
    by_words = _by_words(walk, walk.topic) if walk.topic is not None else None
    if by_words != "fail":
        _infer(walk)
    decided = decided_alone(by_words, walk.entailment, clean=walk.is_clean)
    if by_words == "pass" and decided == "pass":
        walk.reasons.append("says the golden answer's words and no more")
    elif by_words == "pass":
        walk.doubts = ("in the golden answer's words, but the cross-encoder sees a contradiction",)
    elif decided is not None and walk.entailment is not None:
        walk.reasons.extend(walk.entailment.reasons)
        return walk.end(decided, walk.entailment.score)
    return None if decided is None else walk.end(decided)


def _by_words(walk: _Walk, topic: TopicMatch) -> Verdict | None:
    """Topic, guard and near-literal agreement; none, with all doubts, where they don't decide."""
    thresholds = thresholds_for(walk.case, walk.tools)
    walk.reasons.extend(thresholds.notes)
    walk.details["thresholds"] = thresholds.as_json()
    if thresholds.rejects(topic):
        walk.reasons.append(
            f"off the topic: {max(topic.score, topic.cosine):.4f} is below {thresholds.reject}"
        )
        return "fail"
    walk.doubts = (*walk.gate_doubts, *_doubts(walk, topic, thresholds))
    return None if walk.doubts else "pass"


def _infer(walk: _Walk) -> None:
    """Let the cross-encoder read both answers, where there is one."""
    if walk.tools.entailment is None:
        return
    case = walk.case
    walk.entailment = walk.tools.entailment.read(
        case.expected.golden_answer, walk.output.answer(), case.language
    )
    walk.steps.extend(walk.entailment.steps)
    walk.details.update(walk.entailment.details)


def _compare(walk: _Walk) -> None:
    """Find the topic match, or give a reason: there is no embedder, or it is out of reach."""
    if walk.tools.comparer is None:
        walk.reasons.append(
            "no embedder: none is installed, or the configuration says none; see: jw-eval doctor"
        )
        return
    try:
        topic = walk.tools.comparer.compare(walk.case.expected.golden_answer, walk.output.answer())
    except InfrastructureError as fault:
        walk.reasons.append(f"the embedder is out of reach: {fault}")
        return
    walk.topic = topic
    walk.details["topic"] = topic.model_dump(mode="json", exclude={"sentences"})
    walk.steps.append(
        JudgeStep(
            node="topic",
            kind="embedding",
            model=walk.tools.comparer.identity.label,
            answer=f"{topic.score:.4f}",
            score=walk.topic_score,
            details={"cosine": topic.cosine, "sentences": len(topic.sentences)},
        )
    )


def _doubts(walk: _Walk, topic: TopicMatch, thresholds: Thresholds) -> list[str]:
    """Whatever keeps an answer on the topic from passing without a judge."""
    language, guard = walk.case.language, walk.tools.guard
    flags = walk.flags = guard.flags(topic, language) + _counter_flags(walk, topic, thresholds)
    walk.details["flags"] = [flag.model_dump(mode="json") for flag in flags]
    walk.steps.extend(_flag_steps(flags))
    agreement = guard.agreement(topic, flags, language)
    walk.steps.append(
        JudgeStep(
            node="near-literal",
            kind="literal",
            answer="agrees" if agreement.agrees else "differs",
            reply=agreement.reason,
        )
    )
    doubts = [f"{flag.kind}: {flag.difference}" for flag in flags]
    if thresholds.pass_at is None:
        doubts.append("no calibrated profile, so nothing passes without a judge")
    elif topic.score < thresholds.pass_at:
        doubts.append(f"topic score {topic.score:.4f} is below {thresholds.pass_at}")
    if not agreement.agrees and not flags:
        doubts.append(f"not near-literal: {agreement.reason}")
    return doubts


def _counter_flags(walk: _Walk, topic: TopicMatch, thresholds: Thresholds) -> tuple[Flag, ...]:
    """Known wrong answers to which the candidate is nearer than, or about as near as, to golden."""
    comparer = walk.tools.comparer
    flags = []
    for counter in walk.case.expected.counter_answers if comparer else ():
        nearness = comparer.compare(counter, walk.output.answer()).score if comparer else 0.0
        if topic.score < round(nearness + thresholds.margin, 4):
            flags.append(
                Flag(
                    kind="counter_answer",
                    golden=walk.case.expected.golden_answer,
                    candidate=counter,
                    difference=f"{topic.score:.4f} near the golden answer, {nearness:.4f} near "
                    f"the counter answer “{counter}”; margin {thresholds.margin}",
                )
            )
    return tuple(flags)


def _flag_steps(flags: tuple[Flag, ...]) -> list[JudgeStep]:
    return [
        JudgeStep(
            node=flag.kind,
            kind="guard",
            answer="differs",
            reply=flag.difference,
            details={"golden": flag.golden, "candidate": flag.candidate},
        )
        for flag in flags
    ] or [JudgeStep(node="guard", kind="guard", answer="clean")]


def _by_judges(walk: _Walk) -> LayerResult:
    """What the judges say; undecided, with the next step, where there is none."""
    topic, judge = walk.topic, walk.tools.judge
    similarity = (lambda: topic.score) if topic else None
    model = judge.judge(walk.case, walk.output, similarity) if judge else None
    opinion = weighed(walk.entailment, model)
    if walk.doubts:
        walk.details["doubts"] = list(walk.doubts)
    walk.steps.extend(opinion.steps)
    walk.reasons[:0] = opinion.reasons
    walk.details.update(opinion.details)
    if opinion.verdict is not None:
        return walk.end(opinion.verdict, opinion.score)
    still_open = what_is_open(walk.case, walk.gate_doubts, walk.flags, topic)
    walk.reasons.append(f"needs a judge: {still_open}; see: jw-eval explain {walk.case.id}")
    if cause := waits_for(model):
        read = walk.entailment if walk.entailment and walk.entailment.details else None
        numbers = read.reasons[0] if read else ""
        walk.details["waits"] = {"cause": cause, "needs": still_open, "cross_encoder": numbers}
    no_embedder = walk.case.judge.primary == "embeddings" and topic is None
    if no_embedder and opinion.reason_code == "no_judge":
        return walk.end("error", code="embedder_unavailable")
    return walk.end("error", opinion.score, opinion.reason_code)

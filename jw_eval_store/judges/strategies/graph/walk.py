"""Walking a graph: lazily, along one path, to exactly one end. Nothing outlives the walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jw_eval_store.domain.evaluations import JudgeStep
from jw_eval_store.judges.answers import Extracted
from jw_eval_store.judges.interface import LlmReply
from jw_eval_store.judges.judgement import Judgement
from jw_eval_store.judges.prompts.inputs import shown
from jw_eval_store.judges.session import Question, Reading, Session, choice, tokens_to_list
from jw_eval_store.judges.strategies.g_eval import GEval, score_by
from jw_eval_store.judges.strategies.graph.model import (
    HIGHEST,
    BinaryNode,
    ChoiceNode,
    GEvalNode,
    Graph,
    Rule,
    TaskNode,
    VerdictNode,
    in_language,
    steps_in_language,
)
from jw_eval_store.judges.strategies.graph.rules import rule_text, ruling
from jw_eval_store.judges.strategies.keywords import YES_NO, choice_parts


@dataclass(frozen=True)
class Turn:
    """The answer given at a node: the branch taken, and how likely each one was, where known."""

    answer: str
    target: str
    probabilities: Mapping[str, float] | None = None


@dataclass(frozen=True)
class End:
    """An end reached: its score 0..1 and why."""

    score: float
    because: str


@dataclass
class Walk:
    """One case's way through a graph. Each node is asked at most once, whoever leads to it."""

    graph: Graph
    judgement: Judgement
    session: Session
    results: dict[str, str] = field(default_factory=dict)
    turns: dict[str, Turn] = field(default_factory=dict)
    ends: dict[str, End] = field(default_factory=dict)

    def to_end(self) -> tuple[End, list[str]]:
        """The end that the answers lead to, and the names along the way. Raises JudgeError."""
        path = [self.graph.start]
        while not self.is_end(path[-1]):
            path.append(self.turn(path[-1]).target)
        return self.end(path[-1]), path

    def is_end(self, name: str) -> bool:
        """Whether a node is an end."""
        return not self.graph.nodes[name].branches()

    def turn(self, name: str) -> Turn:
        """The answer at a node that is no end."""
        if name not in self.turns:
            self.turns[name] = self._turn(name)
        return self.turns[name]

    def end(self, name: str) -> End:
        """The score of an end."""
        if name not in self.ends:
            self.ends[name] = self._end(name)
        return self.ends[name]

    def _turn(self, name: str) -> Turn:
        node = self.graph.nodes[name]
        if isinstance(node, TaskNode):
            self.results[name] = self._result(name, node)
            return Turn("then", node.then)
        if isinstance(node, BinaryNode | ChoiceNode):
            return self._asked(name, node)
        assert not isinstance(node, GEvalNode | VerdictNode)
        return self._ruled(name, node)

    def _ruled(self, name: str, rule: Rule) -> Turn:
        decided = ruling(rule, self.judgement)
        answer = "yes" if decided.holds else "no"
        self.session.note(
            JudgeStep(
                node=name,
                kind="rule",
                question=rule_text(rule),
                answer=answer,
                probability=1.0,
                margin=1.0,
                details=decided.details,
            )
        )
        return Turn(answer, rule.branches()[answer])

    def _asked(self, name: str, node: BinaryNode | ChoiceNode) -> Turn:
        labels = YES_NO if isinstance(node, BinaryNode) else tuple(node.answers)
        text = in_language(node.ask, self.session.language)
        inputs = {"inputs": self._shown(node.reads)}
        parts = choice_parts(text, labels, self.session.language) | inputs
        question = choice(name, node.kind, text, "choice", parts, labels)
        answer, reading = self.session.ask(question)
        return Turn(answer.verdict, node.branches()[answer.verdict], reading.probabilities)

    def _result(self, name: str, node: TaskNode) -> str:
        def read(answer: Extracted, _: LlmReply) -> Reading:
            return Reading(answer.output)

        text = in_language(node.task, self.session.language)
        inputs = self._shown(node.reads)
        question = Question(
            name,
            "task",
            text,
            "task",
            {"question": text, "inputs": inputs},
            Extracted,
            read,
            max_tokens=tokens_to_list(inputs),
        )
        return self.session.ask(question)[0].output

    def _end(self, name: str) -> End:
        node = self.graph.nodes[name]
        if isinstance(node, GEvalNode):
            score, because, _ = score_by(
                self._scale(node), name, self.judgement, self.results, self.session
            )
            return End(score, because)
        assert isinstance(node, VerdictNode)
        score = node.score / HIGHEST
        because = node.because or node.about
        self.session.note(
            JudgeStep(
                node=name,
                kind="verdict",
                question=because,
                answer=f"{node.score:g}/{HIGHEST}",
                score=score,
            )
        )
        return End(score, because)

    def _scale(self, node: GEvalNode) -> GEval:
        criteria = in_language(node.criteria, self.session.language) if node.criteria else None
        steps = steps_in_language(node.steps, self.session.language)
        return GEval(criteria, steps, node.reads, strict=node.strict)

    def _shown(self, reads: tuple[str, ...]) -> str:
        return shown(reads, self.judgement, self.results, self.session.language)

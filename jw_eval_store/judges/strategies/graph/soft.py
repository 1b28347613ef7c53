"""The soft walk: where an answer was near its border, the other branch is walked as well.

A hard walk jumps from one score to another when one answer tips over. The mean of the ends, each
weighted by the probability of the way to it, does not. It informs; the hard walk decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from jw_eval_store.judges.errors import JudgeError
from jw_eval_store.judges.strategies.graph.model import AnyNode, questions
from jw_eval_store.judges.strategies.graph.walk import Walk

NEAR = 0.1
"""Least probability of a branch that is walked though it was not taken."""


@dataclass(frozen=True)
class SoftScore:
    """Weighted score 0..1; `covered`: probability of the ways walked; `questions` asked for it."""

    score: float
    covered: float
    questions: int


def soft_walk(walk: Walk, most: int) -> SoftScore:
    """The weighted score of a walk that has reached its end, with at most so many more questions.

    Questions are counted whether or not their replies are cached, so the score is the same then.
    """
    walker = _SoftWalker(walk, most)
    hard_steps = len(walk.session.steps)
    score, covered = walker.expected(walk.graph.start)
    steps = walk.session.steps
    for index in range(hard_steps, len(steps)):
        details = {**steps[index].details, "walk": "soft"}
        steps[index] = steps[index].model_copy(update={"details": details})
    return SoftScore(score, covered, walker.asked)


class _TooManyQuestionsError(Exception):
    """Ends a branch of the soft walk: its next node would be a question too many."""


class _SoftWalker:
    def __init__(self, walk: Walk, most: int) -> None:
        self._walk, self._most = walk, most
        self._known: dict[str, tuple[float, float]] = {}
        self.asked = 0

    def expected(self, name: str) -> tuple[float, float]:
        """Mean score of the ends behind a node, and the probability of the ways walked."""
        if name not in self._known:
            if name not in self._walk.turns and name not in self._walk.ends:
                self._count(self._walk.graph.nodes[name])
            is_end = self._walk.is_end(name)
            end = (self._walk.end(name).score, 1.0) if is_end else None
            self._known[name] = end or self._over_branches(name)
        return self._known[name]

    def _count(self, node: AnyNode) -> None:
        asked = self.asked + questions(node)
        if asked > self._most:
            raise _TooManyQuestionsError
        self.asked = asked

    def _over_branches(self, name: str) -> tuple[float, float]:
        total = covered = 0.0
        for target, probability in self._branches(name):
            try:
                score, inside = self.expected(target)
            except (_TooManyQuestionsError, JudgeError):
                continue
            total += probability * inside * score
            covered += probability * inside
        if not covered:
            raise _TooManyQuestionsError
        return total / covered, covered

    def _branches(self, name: str) -> list[tuple[str, float]]:
        """The next nodes to walk, the likeliest first, so that it is not given up for another."""
        turn = self._walk.turn(name)
        if turn.probabilities is None:
            return [(turn.target, 1.0)]
        targets = self._walk.graph.nodes[name].branches()
        likely = sorted(turn.probabilities.items(), key=lambda item: -item[1])
        return [(targets[answer], p) for answer, p in likely if p >= NEAR or answer == turn.answer]

"""The soft walk: where an answer was near its border, the other branch is walked as well.

A hard walk jumps from one score to another when one answer tips over. The mean of the ends, each
weighted by the probability of the way to it, does not. It informs; the hard walk decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from jw_eval_store.judges.errors import JudgeError
from jw_eval_store.judges.strategies.graph.model import BinaryNode, ChoiceNode
from jw_eval_store.judges.strategies.graph.walk import Walk

NEAR = 0.1
"""Least probability of a branch that is walked though it was not taken."""


@dataclass(frozen=True)
class SoftScore:
    """Weighted score 0..1; `covered`: probability of the ways walked; `calls` made for it."""

    score: float
    covered: float
    calls: int


def soft_walk(walk: Walk, most_calls: int) -> SoftScore:
    """The weighted score of a walk that has reached its end, with at most so many extra calls."""
    walker = _SoftWalker(walk, most_calls)
    hard_steps = len(walk.session.steps)
    score, covered = walker.expected(walk.graph.start)
    steps = walk.session.steps
    for index in range(hard_steps, len(steps)):
        details = {**steps[index].details, "walk": "soft"}
        steps[index] = steps[index].model_copy(update={"details": details})
    return SoftScore(score, covered, walker.calls)


class _NoCallsLeftError(Exception):
    """Ends a branch of the soft walk: its next node would cost a call too many."""


class _SoftWalker:
    def __init__(self, walk: Walk, most_calls: int) -> None:
        self._walk = walk
        self._most = most_calls
        self._before = walk.session.calls
        self._known: dict[str, tuple[float, float]] = {}

    @property
    def calls(self) -> int:
        return self._walk.session.calls - self._before

    def expected(self, name: str) -> tuple[float, float]:
        """Mean score of the ends behind a node, and the probability of the ways walked."""
        if name not in self._known:
            self._known[name] = self._expected(name)
        return self._known[name]

    def _expected(self, name: str) -> tuple[float, float]:
        if self._walk.is_end(name):
            if name not in self._walk.ends:
                self._may_ask()
            return self._walk.end(name).score, 1.0
        if name not in self._walk.turns:
            self._may_ask()
        return self._over_branches(name)

    def _may_ask(self) -> None:
        if self.calls >= self._most:
            raise _NoCallsLeftError

    def _over_branches(self, name: str) -> tuple[float, float]:
        total = covered = 0.0
        for target, probability in self._branches(name):
            try:
                score, inside = self.expected(target)
            except (_NoCallsLeftError, JudgeError):
                continue
            total += probability * inside * score
            covered += probability * inside
        if not covered:
            raise _NoCallsLeftError
        return total / covered, covered

    def _branches(self, name: str) -> list[tuple[str, float]]:
        """The next nodes to walk, the likeliest first, so that it is not given up for another."""
        turn = self._walk.turn(name)
        node = self._walk.graph.nodes[name]
        if turn.probabilities is None or not isinstance(node, BinaryNode | ChoiceNode):
            return [(turn.target, 1.0)]
        targets = node.branches()
        likely = sorted(turn.probabilities.items(), key=lambda item: -item[1])
        return [(targets[answer], p) for answer, p in likely if p >= NEAR or answer == turn.answer]

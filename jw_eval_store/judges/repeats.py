"""Judging one candidate several times: the majority's verdict, and which nodes wavered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from jw_eval_store.domain.evaluations import JudgeStep, ReasonCode
from jw_eval_store.judges.judgement import Decision, Judgement, JudgeVerdict


@dataclass(frozen=True)
class Repeated:
    """K verdicts on one candidate. `verdict` is that of more than half of all K, else none.

    `node_flips`: per node, the share of its answers that differ from its most frequent one.
    """

    verdict: Decision | None
    reason_code: ReasonCode | None
    verdicts: tuple[JudgeVerdict, ...]
    node_flips: Mapping[str, float]

    @property
    def unanimous(self) -> bool:
        """Whether all verdicts are the same."""
        return len({verdict.verdict for verdict in self.verdicts}) == 1


def judge_repeatedly(
    judge: Callable[[Judgement, int], JudgeVerdict], judgement: Judgement, times: int
) -> Repeated:
    """Ask a judge so many times (at least 1), each time anew."""
    verdicts = tuple(judge(judgement, repeat) for repeat in range(times))
    verdict, code = _majority(verdicts)
    return Repeated(verdict, code, verdicts, node_flips(verdicts))


class HasSteps(Protocol):
    """A verdict with the steps that led to it."""

    @property
    def steps(self) -> tuple[JudgeStep, ...]:
        """In the order they were taken."""


def node_flips(verdicts: Sequence[HasSteps]) -> dict[str, float]:
    """Flip rate of each node that was answered, in the order of their first appearance."""
    answers: dict[str, list[str]] = {}
    for verdict in verdicts:
        for step in verdict.steps:
            if step.answer is not None and step.details.get("walk") != "soft":
                answers.setdefault(step.node, []).append(step.answer)
    return {
        node: 1 - Counter(given).most_common(1)[0][1] / len(given)
        for node, given in answers.items()
    }


def _majority(verdicts: Sequence[JudgeVerdict]) -> tuple[Decision | None, ReasonCode | None]:
    counted = Counter(verdict.verdict for verdict in verdicts if verdict.verdict is not None)
    if not counted:
        return None, verdicts[0].reason_code
    verdict, times = counted.most_common(1)[0]
    if 2 * times > len(verdicts):
        return verdict, None
    codes = [v.reason_code for v in verdicts if v.verdict is None]
    return None, codes[0] if codes and len(counted) == 1 else "judges_disagree"

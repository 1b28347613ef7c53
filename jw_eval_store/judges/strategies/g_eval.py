"""G-Eval (Liu et al. 2023): a check list written once, then one score weighted by probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.judges.answers import Scored, Steps, scored
from jw_eval_store.judges.interface import MAX_ALTERNATIVES, LlmReply
from jw_eval_store.judges.judgement import Judgement, Outcome
from jw_eval_store.judges.logprobs import weighted_score
from jw_eval_store.judges.prompts.inputs import input_label, shown
from jw_eval_store.judges.session import Question, Reading, Session
from jw_eval_store.judges.strategies.interface import Strategy, decided
from jw_eval_store.judges.strategies.keywords import missing_keywords

DEFAULT_INPUTS = ("question", "golden", "candidate")
ScoreMode = Literal["logprob", "raw"]


@dataclass(frozen=True)
class GEval:
    """What is scored: criteria or explicit steps (which win), the inputs shown, and the range.

    `strict`: only the highest score counts, so the result is 0 or 1.
    """

    criteria: str | None = None
    steps: tuple[str, ...] = ()
    inputs: tuple[str, ...] = DEFAULT_INPUTS
    low: int = 0
    high: int = 10
    strict: bool = False

    def identity(self) -> dict[str, Any]:
        """All that a score depends on, as JSON."""
        written = {"steps": list(self.steps)} if self.steps else {"criteria": self.criteria}
        return {
            **written,
            "inputs": list(self.inputs),
            "range": [self.low, self.high],
            "strict": self.strict,
        }


class GEvalStrategy(Strategy):
    """Passes where the score, brought to 0..1, is at least `pass_at` (1 if strict)."""

    name = "g_eval"

    def __init__(self, scale: GEval, pass_at: float) -> None:
        self._scale = scale
        self._pass_at = 1.0 if scale.strict else pass_at

    def judge(self, judgement: Judgement, session: Session) -> Outcome:
        """Write or find the check list, then score once."""
        failed = missing_keywords(judgement, session)
        if failed:
            return failed
        score, reason, details = score_by(self._scale, "g_eval", judgement, {}, session)
        return Outcome(decided(score, self._pass_at), score, (reason,), details=details)

    def identity(self) -> Mapping[str, Any]:
        """Scale and threshold."""
        return {"strategy": self.name, "pass_at": self._pass_at, **self._scale.identity()}


def score_by(
    scale: GEval,
    node: str,
    judgement: Judgement,
    results: Mapping[str, str],
    session: Session,
) -> tuple[float, str, dict[str, Any]]:
    """Score in 0..1, its reason, and how it came about (`score_mode`, raw number, steps)."""
    steps = list(scale.steps) or _written_steps(scale, node, session)
    parts = {
        "steps": "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1)),
        "inputs": shown(scale.inputs, judgement, results, session.language),
        "low": str(scale.low),
        "high": str(scale.high),
    }

    def read(answer: Scored, reply: LlmReply) -> Reading:
        return _reading(scale, steps, answer, reply)

    question = Question(
        node,
        "g_eval",
        scale.criteria or "How well are the evaluation steps met?",
        "g_eval_score",
        parts,
        scored(scale.low, scale.high),
        read,
        alternatives=MAX_ALTERNATIVES,
    )
    answer, reading = session.ask(question)
    assert reading.score is not None
    return reading.score, answer.reason, dict(reading.details)


def _reading(scale: GEval, steps: Sequence[str], answer: Scored, reply: LlmReply) -> Reading:
    weighted = weighted_score(reply, scale.low, scale.high, answer.score)
    mode: ScoreMode = "raw" if weighted is None else "logprob"
    number = answer.score if weighted is None else weighted
    score = (number - scale.low) / (scale.high - scale.low)
    if scale.strict:
        score = 1.0 if answer.score == scale.high else 0.0
    return Reading(
        str(answer.score),
        score=score,
        details={
            "reason": answer.reason,
            "score_mode": mode,
            "weighted": weighted,
            "range": [scale.low, scale.high],
            "steps": list(steps),
            "steps_hash": json_hash(list(steps)),
        },
    )


def _written_steps(scale: GEval, node: str, session: Session) -> list[str]:
    """The check list for a criterion: the same for every case, since nothing of a case is in it."""
    names = ", ".join(input_label(name, session.language) for name in scale.inputs)

    def read(answer: Steps, _: LlmReply) -> Reading:
        written = list(answer.steps)
        return Reading(
            f"{len(written)} steps",
            details={"steps": list(written), "steps_hash": json_hash(written)},
        )

    question = Question(
        f"{node}.steps",
        "task",
        "Which steps lead to a score?",
        "g_eval_steps",
        {"criteria": scale.criteria or "", "inputs": names},
        Steps,
        read,
        lasting=True,
    )
    return list(session.ask(question)[0].steps)

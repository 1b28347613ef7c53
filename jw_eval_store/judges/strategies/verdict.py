"""The specification's judge: one question, pass or fail, with keywords and both answers in view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jw_eval_store.judges.judgement import Judgement, Outcome
from jw_eval_store.judges.prompts.framing import framed
from jw_eval_store.judges.prompts.inputs import input_label, keyword_list
from jw_eval_store.judges.session import Session, choice
from jw_eval_store.judges.strategies.interface import Strategy

_LABELS = ("pass", "fail")
_QUESTION = "Is the candidate faithful to the golden answer?"


class VerdictStrategy(Strategy):
    """One pass/fail. Score 1 or 0; the soft score is the probability of a pass, where known."""

    name = "verdict"

    def judge(self, judgement: Judgement, session: Session) -> Outcome:
        """Ask once."""
        parts = _parts(judgement, session.language)
        question = choice("verdict", "verdict", _QUESTION, "verdict", parts, _LABELS)
        answer, reading = session.ask(question)
        passed = answer.verdict == "pass"
        known = reading.probabilities
        return Outcome(
            "pass" if passed else "fail",
            1.0 if passed else 0.0,
            (answer.reason,),
            soft_score=None if known is None else known.get("pass", 0.0),
        )

    def identity(self) -> Mapping[str, Any]:
        """Nothing of its own: the prompt is part of all prompts."""
        return {"strategy": self.name}


def _parts(judgement: Judgement, language: str) -> dict[str, str]:
    asked = framed("QUESTION", judgement.question) if judgement.question.strip() else ""
    return {
        "question_frame": f"{input_label('question', language)}:\n{asked}\n" if asked else "",
        "golden": framed("GOLDEN", judgement.golden_answer),
        "candidate": framed("CANDIDATE", judgement.candidate),
        "keywords_any": keyword_list(judgement.keywords_any),
        "keywords_none": keyword_list(judgement.keywords_none),
    }

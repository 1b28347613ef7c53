"""The required keywords of a case, for strategies that don't speak of them otherwise.

A keyword that stands in the candidate literally needs no model; "in any form" is the model's.
"""

from __future__ import annotations

import json

from jw_eval_store.domain.evaluations import JudgeStep
from jw_eval_store.judges.judgement import Judgement, Outcome
from jw_eval_store.judges.prompts.inputs import shown
from jw_eval_store.judges.session import Session, choice
from jw_eval_store.text.phrases import find_keywords

_QUESTION = {
    "en": "Does the candidate say at least one of the required keywords, in any form "
    "(inflected, reordered or in other words of the same meaning)?",
    "es": "¿Dice la candidata al menos una de las palabras clave requeridas, en cualquier forma "
    "(flexionada, reordenada o con otras palabras del mismo sentido)?",
}
YES_NO = ("yes", "no")


def missing_keywords(judgement: Judgement, session: Session) -> Outcome | None:
    """A fail where no required keyword is there in any form, else nothing."""
    if not judgement.keywords_any:
        return None
    found = find_keywords(judgement.candidate, judgement.keywords_any)
    if found:
        session.note(_literal(found[0]))
        return None
    question = _QUESTION[session.language]
    parts = choice_parts(question, YES_NO, session.language) | {
        "inputs": shown(("keywords_any", "candidate"), judgement, {}, session.language)
    }
    answer, _ = session.ask(choice("keywords", "binary", question, "choice", parts, YES_NO))
    if answer.verdict == "yes":
        return None
    return Outcome("fail", 0.0, (f"no required keyword in any form: {answer.reason}",))


def choice_parts(question: str, labels: tuple[str, ...], language: str = "en") -> dict[str, str]:
    """The parts of the prompt `choice` that come from the question itself."""
    quoted = [json.dumps(label, ensure_ascii=False) for label in labels]
    spoken = "yes (sí), no" if language == "es" and labels == YES_NO else ", ".join(labels)
    return {"question": question, "labels": spoken, "labels_json": " | ".join(quoted)}


def _literal(keyword: str) -> JudgeStep:
    return JudgeStep(
        node="keywords",
        kind="rule",
        question="Does a required keyword stand in the candidate?",
        answer="yes",
        details={"found": keyword},
    )

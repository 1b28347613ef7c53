"""Claims with a yes or no each (Ragas' faithfulness): the golden answer's claims are what counts.

Recall decides: the share of the golden answer's claims that the candidate makes. Precision, the
share of the candidate's claims that the golden answer makes, informs: an answer may say more. Both
count over the claims submitted; a verdict that is missing is asked for again, and else the case is
not scored, since leaving it out would raise the score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jw_eval_store.judges.answers import Claims, ClaimVerdicts, claim_verdicts
from jw_eval_store.judges.errors import JudgeError, JudgeMalformedError
from jw_eval_store.judges.interface import LlmReply
from jw_eval_store.judges.judgement import Judgement, Outcome
from jw_eval_store.judges.prompts.framing import framed
from jw_eval_store.judges.session import Question, Reading, Session, tokens_to_list
from jw_eval_store.judges.strategies.interface import Strategy, decided
from jw_eval_store.judges.strategies.keywords import missing_keywords

_TOKENS_PER_CLAIM = 24


class ClaimsStrategy(Strategy):
    """Passes where at least `pass_at` of the golden answer's claims are made."""

    name = "claims"

    def __init__(self, pass_at: float) -> None:
        self._pass_at = pass_at

    def judge(self, judgement: Judgement, session: Session) -> Outcome:
        """Two questions decide; two more inform, and change nothing where they fail."""
        failed = missing_keywords(judgement, session)
        if failed:
            return failed
        golden, candidate = judgement.golden_answer, judgement.candidate
        claims, made = _checked("recall", golden, candidate, session)
        recall = sum(made.values()) / len(claims)
        missing = [claims[number - 1] for number in made if not made[number]]
        return Outcome(
            decided(recall, self._pass_at),
            recall,
            tuple(f"not said: {claim}" for claim in missing)
            or (f"says all {len(claims)} claims of the golden answer",),
            details={"recall": recall, "precision": _precision(judgement, session)},
        )

    def identity(self) -> Mapping[str, Any]:
        """The threshold."""
        return {"strategy": self.name, "pass_at": self._pass_at}


def _precision(judgement: Judgement, session: Session) -> float | None:
    try:
        claims, made = _checked("precision", judgement.candidate, judgement.golden_answer, session)
    except JudgeError:
        return None
    return sum(made.values()) / len(claims)


def _checked(
    node: str, text: str, reference: str, session: Session
) -> tuple[list[str], dict[int, bool]]:
    """The claims of a text, and by number (from 1) whether the reference makes them."""
    claims = _split(node, text, session)
    made = _verdicts(node, claims, range(1, len(claims) + 1), reference, session)
    missing = [number for number in range(1, len(claims) + 1) if number not in made]
    if missing:
        made |= _verdicts(f"{node}.again", claims, missing, reference, session)
    still = [number for number in missing if number not in made]
    if still:
        raise JudgeMalformedError(f"the judge gave no verdict on the claims {still}, asked twice")
    return claims, dict(sorted(made.items()))


def _split(node: str, text: str, session: Session) -> list[str]:
    def read(answer: Claims, _: LlmReply) -> Reading:
        return Reading(f"{len(answer.claims)} claims", details={"claims": list(answer.claims)})

    question = Question(
        f"{node}.claims",
        "task",
        "Which claims does the text make?",
        "claims_split",
        {"text": framed("TEXT", text)},
        Claims,
        read,
        max_tokens=tokens_to_list(text),
    )
    return [" ".join(claim.split()) for claim in session.ask(question)[0].claims]


def _verdicts(
    node: str, claims: Sequence[str], numbers: Sequence[int], reference: str, session: Session
) -> dict[int, bool]:
    """The verdicts given on some of the claims. Raises JudgeMalformedError for two on one."""
    listed = "\n".join(f"{number}. {claims[number - 1]}" for number in numbers)
    parts = {
        "reference": framed("REFERENCE", reference),
        "claims": framed("CLAIMS", listed),
        "numbers": ", ".join(map(str, numbers)),
        "first": str(numbers[0]),
    }

    def read(answer: ClaimVerdicts, _: LlmReply) -> Reading:
        given = {str(v.number): v.verdict for v in answer.verdicts}
        yes = sum(verdict == "yes" for verdict in given.values())
        return Reading(f"{yes} yes", score=yes / len(numbers), details={"verdicts": dict(given)})

    question = Question(
        node,
        "claims",
        "Which of the claims does the other text make?",
        "claims_check",
        parts,
        claim_verdicts(len(numbers)),
        read,
        max_tokens=200 + _TOKENS_PER_CLAIM * len(numbers),
    )
    return _numbered(session.ask(question)[0], numbers)


def _numbered(answer: ClaimVerdicts, numbers: Sequence[int]) -> dict[int, bool]:
    """Verdicts by number. What nobody asked about is not heard; two different ones are refused."""
    given: dict[int, bool] = {}
    for item in answer.verdicts:
        said = item.verdict == "yes"
        if given.setdefault(item.number, said) != said:
            raise JudgeMalformedError(f"the judge says yes and no to claim {item.number}")
    return {number: given[number] for number in numbers if number in given}

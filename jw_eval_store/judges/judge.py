"""A judge: a strategy that asks one model. It never raises for what the model does."""

from __future__ import annotations

from typing import Any

from jw_eval_store.judges.asking import Asker
from jw_eval_store.judges.budget import Budget
from jw_eval_store.judges.errors import JudgeError
from jw_eval_store.judges.interface import MAX_ALTERNATIVES
from jw_eval_store.judges.judgement import Judgement, JudgeVerdict
from jw_eval_store.judges.prompts import prompts_hash
from jw_eval_store.judges.prompts.library import PromptLanguage, prompt_language
from jw_eval_store.judges.session import Session
from jw_eval_store.judges.strategies.interface import Strategy


class Judge:
    """Judges one candidate after another; may be called by several threads at once.

    `calls_per_case` limits each judgement; `language` overrides the prompts' language.
    """

    def __init__(
        self,
        strategy: Strategy,
        asker: Asker,
        *,
        calls_per_case: int | None = None,
        language: PromptLanguage | None = None,
    ) -> None:
        self._strategy, self._asker = strategy, asker
        self._calls, self._language = calls_per_case, language

    def __call__(self, judgement: Judgement, repeat: int = 0) -> JudgeVerdict:
        """The verdict, or why there is none. Another `repeat` asks anew with another seed."""
        if not judgement.candidate.strip():
            return JudgeVerdict("fail", 0.0, reasons=("the answer is empty",))
        language = prompt_language(judgement.language, self._language)
        session = Session(self._asker, language, Budget("case", calls=self._calls), repeat)
        try:
            outcome = self._strategy.judge(judgement, session)
        except JudgeError as error:
            return JudgeVerdict(
                None,
                reasons=(str(error),),
                reason_code=error.code,
                steps=tuple(session.steps),
            )
        return JudgeVerdict(
            outcome.verdict,
            round(outcome.score, 6),
            None if outcome.soft_score is None else round(outcome.soft_score, 6),
            outcome.reasons,
            steps=tuple(session.steps),
            details=outcome.details,
        )

    @property
    def label(self) -> str:
        """For people: client/model strategy."""
        client = self._asker.client
        return f"{'/'.join(filter(None, (client.name, client.model)))} {self._strategy.name}"

    def identity(self) -> dict[str, Any]:
        """All that a verdict depends on beside the case, as JSON; part of fingerprints.

        A model that can't be reached has an identity of its own, so what it left undecided is
        judged again when it can.
        """
        client = self._asker.client
        try:
            model: dict[str, str] = self._asker.identity().to_json()
        except JudgeError as error:
            model = {"client": client.name, "model": client.model, "error": error.code}
        return {
            "model": model,
            **self._strategy.identity(),
            "prompts_hash": prompts_hash(),
            "language": self._language,
            "options": {"temperature": 0, "alternatives": MAX_ALTERNATIVES},
        }

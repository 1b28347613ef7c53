"""What can keep a judge from answering, each with the reason code that the case then bears.

None of these is a verdict: a case that could not be judged is neither passed nor failed.
"""

from __future__ import annotations

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.domain.evaluations import ReasonCode
from jw_eval_store.judges.interface import LlmReply


class JudgeError(InfrastructureError):
    """A question to the judge has no answer; `code` says why, `reply` is what came instead."""

    code: ReasonCode = "judge_unreachable"

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        code: ReasonCode | None = None,
        reply: LlmReply | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.code = code or self.code
        self.reply = reply


class JudgeUnreachableError(JudgeError):
    """The server does not answer, or refuses. `transient`: asking again may help.

    `retry_after`: seconds the server asked to wait, if it did. `outage`: other questions would
    meet the same; not so where the server refused this one.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        transient: bool = False,
        retry_after: float | None = None,
        outage: bool = True,
        code: ReasonCode | None = None,
    ) -> None:
        super().__init__(message, hint=hint, code=code)
        self.transient = transient
        self.retry_after = retry_after
        self.outage = outage


class JudgeMalformedError(JudgeError):
    """The reply is not what was asked for, also after it was asked for again."""

    code: ReasonCode = "judge_malformed"


class JudgeCutError(JudgeError):
    """Prompt or reply was cut: the judge saw or said only a part."""

    code: ReasonCode = "judge_cut"


class JudgeBudgetError(JudgeError):
    """The calls, tokens or seconds allowed per case or run are spent."""

    code: ReasonCode = "judge_budget"

"""Cases that wait for a judge: said once, with the next step, and a line each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jw_eval_store.reports.wording import one_line, reasons_of
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from jw_eval_store.domain.reports import CaseReport

_GIVEN_UP = " (the judge failed"
_NOBODY = ("no_judge", "embedder_unavailable")
"""Reason codes where no judge is set; the second one also where nothing could be compared."""

_NEEDS = "needs a judge: "
_NO_JUDGE = ("undecided: no judge", "no judge is configured")
_NUMBERS = "cross-encoder: "
_READERS = (_NUMBERS, "no cross-encoder: ", "the cross-encoder: ", "“")
"""Beginnings of the cross-encoder's reasons, which stand before the judge's."""

_LEFT_TO_IT = "the judge's"
"""Ends of the reasons why the cross-encoder may not decide."""

_VETO = "the model passes it, and the cross-encoder does not"

_SET_ONE = "set JW_EVAL_LLM (docs/judges.md) and try it: jw-eval judge check"


@dataclass(frozen=True)
class Waiting:
    """Undecided cases that lack nothing but a judge, why there is none, and what to do."""

    cases: tuple[CaseReport, ...] = ()
    cause: str = ""
    next_step: str = ""

    @property
    def title(self) -> str:
        """`6 cases need a judge: why there is none`."""
        return f"{plural(len(self.cases), 'case')} need a judge: {self.cause}"

    def remark(self, case: CaseReport) -> str:
        """Why this case needs one, without what the title says, and the cross-encoder's numbers."""
        needs = _first(reasons_of(case), _NEEDS).removeprefix(_NEEDS).partition("; see: ")[0]
        return "; ".join(filter(None, [needs, _first(reasons_of(case), _NUMBERS)]))


def split_waiting(results: Sequence[CaseReport], run: str) -> tuple[list[CaseReport], Waiting]:
    """The other results, and those that wait for a judge; a single one is shown like any other."""
    waiting = [result for result in results if _waits(result)]
    if len(waiting) < 2:
        return list(results), Waiting()
    cause, code = _cause(waiting[0]), waiting[0].reason_code or ""
    first = _SET_ONE if code in _NOBODY else "jw-eval judge check"
    step = f"{first}; then, without asking agents again: jw-eval rejudge {run}"
    others = [result for result in results if not _waits(result)]
    return others, Waiting(tuple(waiting), cause, step)


def _waits(result: CaseReport) -> bool:
    """A graph that is not sound is no such case: no judge could decide it."""
    if result.reason_code == "judge_unreachable":
        return bool(_judges_own(result))
    return result.reason_code in _NOBODY and any(
        reason.startswith(_NO_JUDGE) for reason in result.reasons
    )


def _cause(result: CaseReport) -> str:
    """The judge's reason without its own next step."""
    if result.reason_code in _NOBODY:
        return "none is set"
    return one_line(_judges_own(result).partition("\n")[0].partition(_GIVEN_UP)[0])


def _judges_own(result: CaseReport) -> str:
    """What the judge said; nothing where it passed the answer, and the cross-encoder is missing."""
    if _VETO in result.reasons:
        return ""
    return next((r for r in result.reasons if r and not _is_of_another(r)), "")


def _is_of_another(reason: str) -> bool:
    return reason.startswith((_NEEDS, *_READERS)) or reason.endswith(_LEFT_TO_IT)


def _first(reasons: Sequence[str], start: str) -> str:
    return next((reason for reason in reasons if reason.startswith(start)), "")

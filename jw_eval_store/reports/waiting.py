"""Cases that wait for a judge: said once, with the next step, and a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from jw_eval_store.reports.wording import one_line
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from jw_eval_store.domain.reports import CaseReport

_GIVEN_UP = " (the judge failed"
_NOBODY = ("no_judge", "embedder_unavailable")
"""Reason codes where no judge is set; the second one also where nothing could be compared."""

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
        waits = _waits(case)
        return "; ".join(filter(None, [waits["needs"], waits["cross_encoder"]]))


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


def _waits(result: CaseReport) -> Mapping[str, str]:
    """As the layer noted it; empty where no judge could decide (a graph that is not sound)."""
    return cast("Mapping[str, str]", result.details.get("waits", {}))


def _cause(result: CaseReport) -> str:
    """The judge's reason without its own next step."""
    return one_line(_waits(result)["cause"].partition("\n")[0].partition(_GIVEN_UP)[0])

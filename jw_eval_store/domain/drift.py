"""A page whose state someone should hear of: what drift issues are written from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import ValidationError

from jw_eval_store.domain.checks import CitationCheck, PageCheck, PassageChange
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.values import Value


class DriftPage(Value):
    """One page as it was last looked at; `cases` are the ids of those who cite it.

    `problem`: there should be an issue; neither problem nor undecided: there should be none.
    """

    fetch_key: str
    status: str
    problem: bool
    undecided: bool
    checked_at: str
    reasons: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    passages: tuple[PassageChange, ...] = ()
    http_status: int | None = None
    final_url: str | None = None


IssueActionKind = Literal["open", "update", "keep", "close"]


class IssueAction(Value):
    """What is done for one page. `number` and `url` are none before an issue is opened."""

    kind: IssueActionKind
    page: DriftPage
    title: str
    body: str
    number: int | None = None
    url: str | None = None


def drift_of(check: PageCheck) -> DriftPage:
    """A look at a page, for those who hear of it: the cases with a problem, or all who cite it."""
    troubled = [one for one in check.citations if one.problem]
    return DriftPage(
        fetch_key=check.fetch_key,
        status=check.status,
        problem=check.problem,
        undecided=check.undecided,
        checked_at=check.checked_at,
        reasons=check.reasons,
        cases=tuple(dict.fromkeys(one.case_id for one in troubled)) or check.cases,
        passages=_passages(troubled) or check.passages,
        http_status=check.http_status,
        final_url=check.final_url,
    )


def drift_in_report(report: Any) -> list[DriftPage]:
    """The pages of a live run's JSON report, each once, with all cases that have a problem with it.

    Raises UsageError for what is no such report.
    """
    try:
        found = _told(report)
        return [_merged(found[key]) for key in sorted(found)]
    except (KeyError, TypeError, ValidationError, AttributeError) as error:
        raise UsageError(
            f"this is no JSON report of a live run ({type(error).__name__}: {error})",
            hint="jw-eval run --layer 2 --live --report json --out l2-live.json",
        ) from error


def _told(report: Any) -> dict[str, list[DriftPage]]:
    found: dict[str, list[DriftPage]] = {}
    for result in report["results"]:
        for page in result["details"]["pages"]:
            told = {name: page[name] for name in DriftPage.model_fields if name in page}
            one = DriftPage.model_validate(told | {"cases": [result["case_id"]]})
            found.setdefault(one.fetch_key, []).append(one)
    return found


def _merged(pages: list[DriftPage]) -> DriftPage:
    """What several cases were told of one page, as one: the problem first."""
    worst = sorted(pages, key=lambda page: (not page.problem, not page.undecided))
    concerned = [page for page in pages if page.problem] or pages
    changes = {change: None for page in concerned for change in page.passages}
    return worst[0].model_copy(
        update={
            "cases": tuple(dict.fromkeys(case for page in concerned for case in page.cases)),
            "passages": tuple(changes),
            "reasons": tuple(dict.fromkeys(r for page in concerned for r in page.reasons)),
        }
    )


def _passages(citations: Iterable[CitationCheck]) -> tuple[PassageChange, ...]:
    return tuple(dict.fromkeys(change for one in citations for change in one.passages))

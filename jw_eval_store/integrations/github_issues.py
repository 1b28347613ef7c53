"""One GitHub issue a page that has a problem: opened, kept up to date, closed when it is well.

Issues are found by a hidden marker in their text, so that titles may be edited and no issue is
opened twice. A page that could not be decided leaves its issue as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jw_eval_store.domain.drift import DriftPage, IssueAction, IssueActionKind
from jw_eval_store.integrations.github_api import Api, GithubError, open_api
from jw_eval_store.reports.issues import body_of, marked_page, page_mark, subject_of, title_of

LABEL = "link-drift"


def issues_for(
    pages: Sequence[DriftPage], repository: str | None, *, dry_run: bool = False
) -> list[IssueAction]:
    """Bring a repository's issues up to date with pages; a dry run asks nobody.

    Raises UsageError where no repository or no way to it is known, and GithubError.
    """
    return planned_actions(pages) if dry_run else sync_issues(pages, open_api(repository))


def planned_actions(pages: Iterable[DriftPage]) -> list[IssueAction]:
    """What would be done for the pages with a problem if no issue were open; asks nobody."""
    return [
        IssueAction(kind="open", page=page, title=title_of(page), body=body_of(page))
        for page in pages
        if page.problem
    ]


def sync_issues(pages: Sequence[DriftPage], api: Api) -> list[IssueAction]:
    """Open, update and close issues. Raises GithubError at the first request that is refused."""
    open_issues = _open_issues(api)
    done: list[IssueAction] = []
    for page in pages:
        issue = open_issues.get(page_mark(page.fetch_key))
        if page.problem:
            done.append(_update(api, page, issue) if issue else _open(api, page))
        elif issue and not page.undecided:
            done.append(_close(api, page, issue))
    return done


def _open_issues(api: Api) -> dict[str, Mapping[str, Any]]:
    """The open issues with a marker by what it names, the oldest of each."""
    found: dict[str, Mapping[str, Any]] = {}
    for issue in api.all_pages("/issues?state=open&sort=created&direction=asc"):
        mark = marked_page(issue.get("body") or "")
        if mark and "pull_request" not in issue:
            found.setdefault(mark, issue)
    return found


def _open(api: Api, page: DriftPage) -> IssueAction:
    title, body = title_of(page), body_of(page)
    _ensure_label(api)
    issue = api.request("POST", "/issues", {"title": title, "body": body, "labels": [LABEL]})
    return _action("open", page, issue, title, body)


def _update(api: Api, page: DriftPage, issue: Mapping[str, Any]) -> IssueAction:
    """The title is left to those who edit it, unless it is one of ours and out of date."""
    title, body = title_of(page), body_of(page)
    before = (issue.get("body") or "").replace("\r\n", "\n").strip()
    if before == body.strip():
        return _action("keep", page, issue, title, body)
    changes = {"body": body}
    if str(issue.get("title", "")).endswith(subject_of(page)):
        changes["title"] = title
    api.request("PATCH", f"/issues/{issue['number']}", changes)
    return _action("update", page, issue, title, body)


def _close(api: Api, page: DriftPage, issue: Mapping[str, Any]) -> IssueAction:
    number = issue["number"]
    text = f"The page is well again: {page.status} when it was looked at on {page.checked_at}."
    api.request("POST", f"/issues/{number}/comments", {"body": text})
    closing = {"state": "closed", "state_reason": "completed"}
    api.request("PATCH", f"/issues/{number}", closing)
    return _action("close", page, issue, str(issue.get("title", "")), text)


def _action(
    kind: IssueActionKind, page: DriftPage, issue: Mapping[str, Any], title: str, body: str
) -> IssueAction:
    return IssueAction(
        kind=kind,
        page=page,
        title=title,
        body=body,
        number=issue.get("number"),
        url=issue.get("html_url"),
    )


def _ensure_label(api: Api) -> None:
    """Make the label; that it is there already is no fault."""
    description = "A cited page changed, moved or is gone"
    try:
        api.request(
            "POST", "/labels", {"name": LABEL, "color": "b60205", "description": description}
        )
    except GithubError as error:
        if error.status != 422:
            raise

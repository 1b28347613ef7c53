"""What one answer means, before any page is read: a page, a redirect, or a way to have none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jw_eval_store.pages.fetching.results import Outcome
from jw_eval_store.text.waiting import retry_after

REDIRECTS = frozenset((301, 302, 303, 307, 308))
_BY_STATUS: dict[int, Outcome] = {
    **dict.fromkeys((200, 203), "page"),
    304: "not_modified",
    **dict.fromkeys((404, 410), "gone"),
    **dict.fromkeys((202, 401, 402, 403, 407, 429, 451), "blocked"),
}
"""What is not listed is unreachable; 202 is how some walls answer."""

_AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504))
_CHALLENGES = ("cf-mitigated", "x-amzn-waf-action", "x-datadome", "x-px-block")
_HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True)
class Answer:
    """One answer of a server, or why there was none. `again`: another attempt may help.

    `wait` is how many seconds the server asked to wait for.
    """

    outcome: Outcome
    reason: str = ""
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    again: bool = False
    wait: float | None = None
    attempts: int = 1

    @property
    def location(self) -> str | None:
        """Where a redirect leads to, as written; none if it is no redirect."""
        return self.headers.get("location") if self.status in REDIRECTS else None


def head_answer(status: int, headers: Mapping[str, str], *, html: bool) -> Answer:
    """What status and headers say; outcome page means that its body is still to be read.

    `html`: nothing but HTML is a page.
    """
    outcome, reason = _outcome(status, headers)
    if outcome == "page" and html and (kind := _other_kind(headers)):
        outcome, reason = "not_html", f"it is {kind}, not HTML"
    wait = retry_after(headers.get("retry-after", "")) if status in _AGAIN else None
    return Answer(outcome, reason, status, headers, again=status in _AGAIN, wait=wait)


def _outcome(status: int, headers: Mapping[str, str]) -> tuple[Outcome, str]:
    challenge = next((name for name in _CHALLENGES if name in headers), None)
    if challenge:
        return "blocked", f"the site asks for a challenge ({challenge}, status {status})"
    if status in REDIRECTS and "location" not in headers:
        return "unreachable", f"status {status} without a location"
    outcome = _BY_STATUS.get(status, "unreachable")
    return outcome, "" if outcome in ("page", "not_modified") else f"status {status}"


def _other_kind(headers: Mapping[str, str]) -> str | None:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind if kind and kind not in _HTML else None

"""What building, refreshing and accepting snapshots came to, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from jw_eval_store.domain.checks import PageCheck
from jw_eval_store.domain.values import Value

CaptureOutcome = Literal["stored", "waiting", "refused"]
"""`waiting`: stored beside the current snapshot, which stays current until this is accepted."""


class Lacking(Value):
    """A case whose citation a page does not bear out."""

    case_id: str
    url: str
    phrases: tuple[str, ...] = ()


class CapturedPage(Value):
    """One page. `status` is that of the look at it, none where it came from a file or the store."""

    fetch_key: str
    outcome: CaptureOutcome
    status: str | None = None
    reasons: tuple[str, ...] = ()
    lacking: tuple[Lacking, ...] = ()
    check: PageCheck | None = None

    @property
    def ok(self) -> bool:
        """Whether it is stored, and bears out all who cite it."""
        return self.outcome != "refused" and not self.lacking

    @property
    def out_of_reach(self) -> bool:
        """Whether the site gave no page to refuse: it is down, the network is, or access is barred.

        Another try may do.
        """
        return self.outcome == "refused" and self.status in ("unreachable", "blocked")


def exit_code(pages: Sequence[CapturedPage]) -> int:
    """1 where a page is refused or lacks phrases, 3 where all that is wrong is out of reach."""
    wrong = [page for page in pages if not page.ok]
    if any(not page.out_of_reach for page in wrong):
        return 1
    return 3 if wrong else 0

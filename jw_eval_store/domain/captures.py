"""What building, refreshing and accepting snapshots came to, page by page."""

from __future__ import annotations

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

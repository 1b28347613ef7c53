"""What a look at a cited page on the live site says: one status a page, with what changed."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from jw_eval_store.domain.values import Value

PageStatus = Literal[
    "unchanged",
    "cosmetic",
    "text_changed",
    "structure_changed",
    "moved",
    "quote_missing",
    "claim_changed",
    "moved_away",
    "soft_404",
    "gone",
    "blocked",
    "unreachable",
    "not_html",
    "too_large",
    "uncompared",
]
"""`uncompared`: there is no captured or imported snapshot that the page could be held against."""

STATUSES: tuple[PageStatus, ...] = get_args(PageStatus)

PROBLEMS: frozenset[PageStatus] = frozenset(
    ("quote_missing", "claim_changed", "gone", "soft_404", "moved_away", "moved")
)
"""Always problems; `structure_changed` is one where it takes the cited anchor away."""

UNDECIDED: frozenset[PageStatus] = frozenset(
    ("blocked", "unreachable", "not_html", "too_large", "uncompared")
)
"""Neither well nor a problem: what the page says could not be read, or not be compared."""


class PassageChange(Value):
    """One passage before and now, as written; none: it is not there.

    `difference` says how the claim changed, empty where it did not.
    """

    anchor: str
    old: str | None
    new: str | None
    difference: str = ""


class CitationCheck(Value):
    """What the page's state means for one case that cites it."""

    case_id: str
    url: str
    status: PageStatus
    problem: bool
    reasons: tuple[str, ...] = ()
    passages: tuple[PassageChange, ...] = ()

    @property
    def undecided(self) -> bool:
        """Whether nothing can be said of it."""
        return not self.problem and self.status in UNDECIDED


class PageCheck(Value):
    """One look at one page. `checked_at` is ISO 8601, UTC.

    `reasons` say why it has its status; `passages` are the changed ones. `http_status`,
    `final_url` and the hashes are none where no answer came.
    """

    fetch_key: str
    status: PageStatus
    problem: bool
    checked_at: str
    reasons: tuple[str, ...] = ()
    http_status: int | None = None
    final_url: str | None = None
    bytes_hash: str | None = None
    text_hash: str | None = None
    structure_hash: str | None = None
    passages: tuple[PassageChange, ...] = ()
    citations: tuple[CitationCheck, ...] = Field(default=())

    @property
    def undecided(self) -> bool:
        """Whether nothing can be said of it."""
        return not self.problem and self.status in UNDECIDED

    @property
    def cases(self) -> tuple[str, ...]:
        """Ids of the cases that cite the page."""
        return tuple(dict.fromkeys(citation.case_id for citation in self.citations))

"""What fetching a page came to: a page, or one of the ways in which there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal[
    "page",
    "not_modified",
    "moved_away",
    "gone",
    "blocked",
    "unreachable",
    "not_html",
    "too_large",
]

KEPT_HEADERS = ("content-type", "content-language", "etag", "last-modified", "date")
"""Response headers that snapshots keep."""


@dataclass(frozen=True)
class Fetched:
    """One page as the site answered. `body` is decompressed; empty unless `outcome` is page.

    `final_url` is where the redirects led to, `hops` the addresses on the way; `status` is that of
    the last answer, none where there was none. `reason` is for people; empty for a page.
    """

    url: str
    outcome: Outcome
    final_url: str
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    reason: str = ""
    hops: tuple[str, ...] = ()
    attempts: int = 1

    @property
    def kept_headers(self) -> dict[str, str]:
        """The headers that matter later."""
        return {name: self.headers[name] for name in KEPT_HEADERS if name in self.headers}


@dataclass(frozen=True)
class Validators:
    """What a server tells an unchanged page by (`ETag`, `Last-Modified`)."""

    etag: str | None = None
    last_modified: str | None = None

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Validators:
        """Those that stored headers hold."""
        return cls(headers.get("etag"), headers.get("last-modified"))

    def headers(self) -> dict[str, str]:
        """The request headers that ask whether the page is still the same."""
        asked = {"if-none-match": self.etag, "if-modified-since": self.last_modified}
        return {name: value for name, value in asked.items() if value}

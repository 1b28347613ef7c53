"""Make a page into a snapshot: an excerpt of what carries the citations, or the whole reduced page.

The fingerprints are always those of the whole page, so that an excerpt notices changes elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from jw_eval_store.domain.evidence import Origin
from jw_eval_store.pages.comparing.known import Cited
from jw_eval_store.pages.excerpts import excerpt_positions, passages_at
from jw_eval_store.pages.fetching.charset import text_of
from jw_eval_store.pages.fingerprints import fingerprints, versions
from jw_eval_store.pages.manifest import SnapshotEntry, new_entry
from jw_eval_store.pages.reduce import ReducedPage, reduce_page, render
from jw_eval_store.text.passages import searchable

Scope = Literal["excerpt", "page"]


@dataclass(frozen=True)
class PageSource:
    """A page as it came: from the site, or from a file saved by hand."""

    url: str
    body: bytes
    origin: Origin
    captured_at: datetime
    status: int | None = None
    final_url: str | None = None
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Captured:
    """A snapshot to store. `lacking` are the citations that the page does not bear out.

    `unproven` lists what speaks against its being the page of its URL at all: it is no evidence
    then. A page that holds all that it is cited for needs no other proof.
    """

    entry: SnapshotEntry
    html: str
    lacking: tuple[Cited, ...]
    unproven: tuple[str, ...]


def capture(source: PageSource, cited: Sequence[Cited], scope: Scope) -> Captured:
    """Reduce a page for those who cite it."""
    content_type = (source.headers or {}).get("content-type", "")
    page = reduce_page(text_of(source.body, content_type), source.url)
    text = searchable(page.evidence(source.origin))
    prints = fingerprints(source.body, page)
    entry = new_entry(source.url, source.origin, scope, source.captured_at.isoformat())
    lacking = tuple(one for one in cited if not one.stands_in(text))
    whole = entry.model_copy(
        update={
            "status": source.status,
            "final_url": source.final_url,
            "headers": dict(source.headers or {}),
            "bytes_hash": prints.bytes_hash,
            "text_hash": prints.text_hash,
            "structure_hash": prints.structure_hash,
            "versions": versions(),
        }
    )
    html = page.html if scope == "page" else _excerpt(page, cited)
    quoted = any(one.phrases for one in cited)
    unproven = page.unproven if lacking or not quoted or not page.passages else ()
    return Captured(whole, html, lacking, unproven)


def _excerpt(page: ReducedPage, cited: Sequence[Cited]) -> str:
    text = searchable(page.evidence("captured"))
    positions = excerpt_positions(text, ((one.phrases, one.anchor) for one in cited))
    return render(page, passages_at(text, positions))

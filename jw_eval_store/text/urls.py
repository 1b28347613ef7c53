"""Cited URLs: what is fetched, and which verse or paragraph of it is meant.

A URL is kept in three forms: as written, as fetch key (what names the page), and as anchor (the
fragment's verse or paragraph), since wol.jw.org keeps the verse in the fragment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from yarl import URL

from jw_eval_store.text.anchors import Anchor, fragment_anchor

URL_VERSION = "1"
"""Grows whenever a URL may get another fetch key; snapshots carry it."""

_TRACKING = re.compile(
    r"utm_.*|[dgy]clid|[gw]braid|fbclid|msclkid|twclid|igshid|mc_[ce]id|_g[al]|_hs(enc|mi)"
    r"|src(id|type)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class CitationUrl:
    """A cited URL. `host` is empty and `fetch_key` as written where it is no web address."""

    written: str
    fetch_key: str
    anchor: Anchor | None
    host: str


@lru_cache(maxsize=16384)
def parse_url(url: str) -> CitationUrl:
    """Read a URL as an agent or a curator wrote it. Never raises: nonsense gets an empty host.

    The fetch key has no fragment, user name or tracking parameter (`utm_*`, click ids, the share
    links' `srcid`), parameters in order of their names, host and scheme in lower case, `https`
    where no port is named, percent-encoding as RFC 3986 prefers it, and no slash at the end.
    Editions and languages stay apart: `nwt` and `nwtsty` are different pages.
    """
    written = url.strip()
    try:
        parsed = URL(written)
        port = parsed.explicit_port
    except (ValueError, UnicodeError):
        return CitationUrl(url, written, None, "")
    if parsed.scheme not in ("http", "https") or not parsed.raw_host:
        return CitationUrl(url, written, None, "")
    return CitationUrl(
        url, _fetch_key(parsed, port), fragment_anchor(parsed.fragment), parsed.raw_host or ""
    )


def fetch_url(url: str) -> str:
    """What to ask a server for: the fetch key, with the slash at the end that was written.

    Some sites know their pages only with it, though both name the same page.
    """
    path, mark, query = parse_url(url).fetch_key.partition("?")
    written = url.partition("#")[0].partition("?")[0].strip()
    slash = "/" if written.endswith("/") and not path.endswith("/") else ""
    return f"{path}{slash}{mark}{query}"


def is_same_page(one: str, other: str) -> bool:
    """Whether two URLs name the same page, whatever verse they point at."""
    return parse_url(one).fetch_key == parse_url(other).fetch_key


def citation_matches(expected: str, cited: str) -> bool:
    """Whether a cited URL meets an expected one.

    Without an anchor the expected URL accepts any anchor of that page; with one, the same anchor or
    a range that contains it.
    """
    wanted, given = parse_url(expected), parse_url(cited)
    if wanted.fetch_key != given.fetch_key:
        return False
    return wanted.anchor is None or (
        given.anchor is not None and given.anchor.contains(wanted.anchor)
    )


def _fetch_key(parsed: URL, port: int | None) -> str:
    standard = port in (None, 80 if parsed.scheme == "http" else 443)
    kept = sorted(
        (name, value) for name, value in parsed.query.items() if not _TRACKING.fullmatch(name)
    )
    scheme = "https" if standard else parsed.scheme
    address = parsed.host_subcomponent or ""
    authority = address if standard else f"{address}:{port}"
    page = f"{scheme}://{authority}{parsed.raw_path.rstrip('/') or '/'}"
    return str(URL(page, encoded=True).with_query(kept)) if kept else page

"""Fingerprints of a whole page: what changed can be told from noise without keeping the page.

Nonces, asset hashes, navigation, dialogs and years in classes are outside of text and structure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jw_eval_store.domain.hashing import content_hash, json_hash
from jw_eval_store.pages.reduce import REDUCER_VERSION, ReducedPage
from jw_eval_store.text.normal import NORMALISER_VERSION, normal
from jw_eval_store.text.urls import URL_VERSION

_YEAR = re.compile(r"(?:18|19|20)\d\d")


@dataclass(frozen=True)
class Fingerprints:
    """Content addresses of a page's bytes, of its text in normal form, and of its structure."""

    bytes_hash: str
    text_hash: str
    structure_hash: str


def fingerprints(html: bytes | str, page: ReducedPage) -> Fingerprints:
    """Fingerprint a page by its bytes and its reduced form.

    Text is that of all passages, in page order. Structure is publication, document and the
    elements with anchors: their tag, classes and order.
    """
    raw = html if isinstance(html, bytes) else html.encode("utf-8", "surrogatepass")
    texts = [text for text in (normal(passage.text) for passage in page.passages) if text]
    carriers = [
        [carrier.anchor, carrier.tag, *sorted(_YEAR.sub("Y", mark) for mark in carrier.classes)]
        for carrier in page.carriers
    ]
    structure = [page.publication, page.document_id, carriers]
    return Fingerprints(content_hash(raw), content_hash(" ".join(texts)), json_hash(structure))


def versions() -> dict[str, str]:
    """Versions of all that shapes passages and fingerprints, as snapshots keep them."""
    return {"reducer": REDUCER_VERSION, "normaliser": NORMALISER_VERSION, "url": URL_VERSION}

"""Reduce a page to what carries citations: its article's visible text, by verse or paragraph.

The reduced HTML is written from the passages, so that reducing it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from jw_eval_store.domain.evidence import Evidence, Origin, Passage
from jw_eval_store.domain.languages import UNKNOWN_LANGUAGE, bcp47
from jw_eval_store.pages.dom import Carrier, Text, article_of, classes_of, parse_html, walk
from jw_eval_store.pages.health import missing_proofs
from jw_eval_store.text.urls import parse_url

REDUCER_VERSION = "1"
"""Grows whenever a page may reduce to other passages; snapshots and fingerprints carry it."""


@dataclass(frozen=True)
class ReducedPage:
    """What is left of a page. `language` is BCP 47 (`und` if the page names none).

    `document_id` is the site's number of a document, none on Bible pages. `publication` is as in
    `pub-nwtsty`, empty if none is named. `unproven` lists what a healthy page of this URL would
    show and this one doesn't; `carriers` are the elements with anchors.
    """

    url: str
    fetch_key: str
    language: str
    document_id: str | None
    publication: str
    passages: tuple[Passage, ...]
    carriers: tuple[Carrier, ...]
    unproven: tuple[str, ...]

    @property
    def healthy(self) -> bool:
        """Whether the page proves to be the one that its URL names, and no error page."""
        return not self.unproven

    @property
    def html(self) -> str:
        """The reduced page as HTML: no script, style, image, comment or hidden text."""
        return render(self, self.passages)

    def excerpt(self, anchors: Iterable[str]) -> str:
        """Reduced HTML of the passages with these anchors only."""
        kept = frozenset(anchors)
        return render(self, [passage for passage in self.passages if passage.anchor in kept])

    def evidence(self, origin: Origin) -> Evidence:
        """The page as evidence for the citation layer."""
        return Evidence(self.fetch_key, origin, self.passages)


def decode(page: bytes | str) -> str:
    """A page's text. The site names no charset and means UTF-8; what is not becomes U+FFFD."""
    return page if isinstance(page, str) else page.decode("utf-8-sig", "replace")


def reduce_page(html: bytes | str, url: str) -> ReducedPage:
    """Reduce the page that `url` gave (or its reduced form). Never raises for what the page is."""
    tree = parse_html(decode(html))
    article = article_of(tree)
    root = article or tree.body
    events = list(walk(root)) if root is not None else []
    passages = _passages(event for event in events if not isinstance(event, Carrier))
    marks = classes_of(article) if article is not None else ()
    language, document_id = _language(tree, article), _marked(marks, "docId-") or None
    return ReducedPage(
        url=url,
        fetch_key=parse_url(url).fetch_key,
        language=language,
        document_id=document_id,
        publication=_marked(marks, "pub-"),
        passages=passages,
        carriers=tuple(event for event in events if isinstance(event, Carrier)),
        unproven=missing_proofs(url, article is not None, language, document_id, passages),
    )


def render(page: ReducedPage, passages: Iterable[Passage]) -> str:
    """Passages as a page in the site's shape: a line each, anchors as element names."""
    marks = [f"pub-{page.publication}"] if page.publication else []
    marks += [f"docId-{page.document_id}"] if page.document_id else []
    return "\n".join(
        [
            f'<!DOCTYPE html>\n<html lang="{escape(page.language)}">',
            '<head><meta charset="utf-8"></head>\n<body>',
            f'<article id="article" class="{escape(" ".join(marks))}">',
            *map(_rendered, passages),
            "</article>\n</body>\n</html>\n",
        ]
    )


def _rendered(passage: Passage) -> str:
    text = escape(passage.text, quote=False)
    if passage.anchor.startswith("v"):
        name = passage.anchor.replace(":", "-")
        return f'<p><span class="v" id="{name}-1">{text}</span></p>'
    if passage.anchor:
        return f'<p id="{passage.anchor}" data-pid="{passage.anchor[1:]}">{text}</p>'
    return f"<p>{text}</p>"


def _passages(events: Iterable[object]) -> tuple[Passage, ...]:
    """Join the stretches of each anchor; text in no anchor is one passage a block."""
    parts: dict[str | int, list[str]] = {}
    block, last = 0, ""
    for event in events:
        if not isinstance(event, Text):
            block += 1
            continue
        key = event.anchor or block
        found = parts.setdefault(key, [])
        if found and last != f"{block} {key}":
            found.append(" ")
        found.append(event.text)
        last = f"{block} {key}"
    joined = ((key, " ".join("".join(found).split())) for key, found in parts.items())
    return tuple(Passage(key if isinstance(key, str) else "", text) for key, text in joined if text)


def _language(tree: LexborHTMLParser, article: LexborNode | None) -> str:
    """From the site's own proof (`#contentLibLangSym`), else from `lang` of article or page."""
    proof = tree.css_first("#contentLibLangSym", default=None)
    named = [proof.attributes.get("value")] if proof is not None else []
    for node in (article, tree.css_first("html", default=None)):
        named += [node.attributes.get("lang")] if node is not None else []
    return next((bcp47(code) for code in named if code), UNKNOWN_LANGUAGE)


def _marked(classes: tuple[str, ...], prefix: str) -> str:
    return next((mark.removeprefix(prefix) for mark in classes if mark.startswith(prefix)), "")

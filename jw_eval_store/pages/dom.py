"""The visible part of an article: a walk over its elements that skips what no reader sees.

Parsed as browsers parse (HTML 5, by lexbor), so that broken markup reads as it looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from jw_eval_store.text.anchors import Anchor, parse_anchor


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SKIPPED = _set(
    "script style noscript template head title nav svg math iframe object embed audio video canvas "
    "dialog button input select textarea datalist rp rt map progress meter"
)
_BLOCKS = _set(
    "address article aside blockquote br caption center dd details div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu ol option p pre "
    "section summary table tbody td tfoot th thead tr ul"
)
_OUTSIDE_IDS = _set("study footnotes")
_HIDDEN_CLASSES = _set("pswp hidden visuallyhidden visually-hidden sr-only")
_MARKER_CLASSES = _set("b fn vl cl")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.I)
_VERSE_ID = re.compile(r"v\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}")
_PARAGRAPH_ID = re.compile(r"p\d{1,5}")


@dataclass(frozen=True)
class Text:
    """A stretch of visible text within the element that `anchor` names (empty: in none)."""

    anchor: str
    text: str


@dataclass(frozen=True)
class Break:
    """The edge of a block element: words on its two sides are apart."""


@dataclass(frozen=True)
class Carrier:
    """An element that carries an anchor: what the structure of a page consists of."""

    anchor: str
    tag: str
    classes: tuple[str, ...]


Event = Text | Break | Carrier


def parse_html(html: str) -> LexborHTMLParser:
    """Parse a page. Never raises for bad markup; lone surrogates become question marks."""
    return LexborHTMLParser(html.encode("utf-8", "replace"))


def article_of(tree: LexborHTMLParser) -> LexborNode | None:
    """The element that carries the text: `#article`, else the only article or main of the page."""
    return tree.css_first("article#article, #article", default=None) or tree.css_first(
        "article, main", default=None
    )


def classes_of(node: LexborNode) -> tuple[str, ...]:
    """An element's classes, in the order written."""
    return tuple((node.attributes.get("class") or "").split())


def walk(root: LexborNode) -> Iterator[Event]:
    """The visible text below an element in reading order, with block edges and anchors.

    Without recursion, so that no nesting is too deep.
    """
    todo: list[tuple[LexborNode | None, str]] = [(root, "")]
    while todo:
        node, anchor = todo.pop()
        if node is None:
            yield Break()
        elif node.is_text_node:
            yield Text(anchor, node.text_content or "")
        elif node.is_element_node and not _is_unseen(node, anchor):
            own = _own_anchor(node)
            if own and not (anchor.startswith("v") and own.startswith("p")):
                anchor = own
                yield Carrier(own, node.tag or "", classes_of(node))
            if node.tag in _BLOCKS:
                yield Break()
                todo.append((None, anchor))
            children = [(child, anchor) for child in node.iter(include_text=True)]
            todo.extend(reversed(children))


def _own_anchor(node: LexborNode) -> str:
    """`v43:3:16` of an element named `v43-3-16-1`, `p12` of one named so; else empty."""
    attributes = node.attributes
    name = attributes.get("id") or ""
    if not name or name[0] not in "vp":
        return ""
    if _VERSE_ID.fullmatch(name):
        return str(parse_anchor(name) or "")
    return name if _PARAGRAPH_ID.fullmatch(name) and "data-pid" in attributes else ""


def _is_unseen(node: LexborNode, anchor: str) -> bool:
    if node.tag in _SKIPPED or (node.tag == "a" and _is_marker(node, anchor)):
        return True
    attributes = node.attributes
    return bool(attributes) and (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or attributes.get("role") == "navigation"
        or attributes.get("id") in _OUTSIDE_IDS
        or bool(_HIDDEN_STYLE.search(attributes.get("style") or ""))
        or not _HIDDEN_CLASSES.isdisjoint(classes_of(node))
    )


def _is_marker(node: LexborNode, anchor: str) -> bool:
    """A cross reference or footnote sign, or the number of a verse or chapter, by class or text."""
    if not _MARKER_CLASSES.isdisjoint(classes_of(node)):
        return True
    text = node.text().strip()
    if text in ("+", "*"):
        return True
    within = parse_anchor(anchor) if anchor.startswith("v") else None
    return isinstance(within, Anchor) and text in map(str, within.first[1:])

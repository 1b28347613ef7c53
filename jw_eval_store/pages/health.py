"""Positive proof that a page is the one its URL names: error pages come with status 200 too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jw_eval_store.domain.evidence import Passage
from jw_eval_store.domain.languages import UNKNOWN_LANGUAGE, bcp47
from jw_eval_store.text.urls import parse_url

_LIBRARY_PATH = re.compile(
    r"/(?P<language>[a-z]{2,3}(?:-[a-z]+)?)/wol/(?P<kind>[a-z]+)/(?P<rest>.+)"
)
_BIBLE_CHAPTER = re.compile(r"(?:^|/)(\d{1,2})/(\d{1,3})$")
_DOCUMENT = re.compile(r"(?:^|/)(\d{4,})$")


def missing_proofs(
    url: str,
    has_article: bool,
    language: str,
    document_id: str | None,
    passages: tuple[Passage, ...],
) -> tuple[str, ...]:
    """What a healthy page of this URL would show and this one doesn't, for people to read."""
    if not has_article:
        return ("it has no article",)
    if not passages:
        return ("its article has no text",)
    path = parse_url(url).fetch_key.partition("://")[2].partition("/")[2].partition("?")[0]
    library = _LIBRARY_PATH.fullmatch(f"/{path}")
    if library is None:
        return ()
    return (
        *_wrong_language(library["language"], language),
        *_wrong_content(library["kind"], library["rest"], document_id, passages),
    )


def _wrong_language(asked: str, given: str) -> Iterator[str]:
    if given == UNKNOWN_LANGUAGE:
        yield "it does not name its language"
    elif bcp47(asked) != given:
        yield f"its language is {given}, not {asked}"


def _wrong_content(
    kind: str, rest: str, document_id: str | None, passages: tuple[Passage, ...]
) -> Iterator[str]:
    chapter, document = _BIBLE_CHAPTER.search(rest), _DOCUMENT.search(rest)
    if kind == "b" and chapter:
        prefix = f"v{int(chapter[1])}:{int(chapter[2])}:"
        if not any(passage.anchor.startswith(prefix) for passage in passages):
            yield f"it has no verse of book {chapter[1]}, chapter {chapter[2]}"
    elif kind == "d" and document and document[1] != document_id:
        yield f"its document is {document_id or 'not named'}, not {document[1]}"

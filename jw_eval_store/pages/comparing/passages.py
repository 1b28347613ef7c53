"""Passages of a snapshot beside those of the page now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jw_eval_store.domain.checks import PassageChange
from jw_eval_store.domain.evidence import Passage
from jw_eval_store.text.normal import normal
from jw_eval_store.text.passages import SearchableText
from jw_eval_store.text.phrases import nearest_passage

LIKENESS = 70.0
"""From here on (of 100) a passage counts as the other one changed, not as another one."""

MOST_CHANGES = 40


def counterpart(passage: Passage, page: SearchableText) -> Passage | None:
    """What a passage is now: the one of its anchor, else the same text, else the one most like it.

    None where there is nothing like it.
    """
    if passage.anchor:
        for candidate in page.passages:
            if candidate.anchor == passage.anchor:
                return candidate
    near = nearest_passage(page.passages, passage.text)
    return near.passage if near and near.score >= LIKENESS else None


def alike(one: Passage, other: Passage) -> bool:
    """Whether two passages are the same one, changed."""
    from rapidfuzz import fuzz

    return fuzz.ratio(normal(one.text), normal(other.text)) >= LIKENESS


def changed_passages(known: SearchableText, page: SearchableText) -> tuple[PassageChange, ...]:
    """The snapshot's passages that read otherwise now, in page order, at most `MOST_CHANGES`."""
    found: list[PassageChange] = []
    for change in _changes(zip(known.passages, known.normals, strict=True), page):
        found.append(change)
        if len(found) == MOST_CHANGES:
            break
    return tuple(found)


def added_passages(known: SearchableText, page: SearchableText) -> tuple[PassageChange, ...]:
    """The page's passages that a snapshot of the whole page has not, at most `MOST_CHANGES`."""
    anchors = {passage.anchor for passage in known.passages if passage.anchor}
    texts = set(known.normals)
    added = [
        PassageChange(anchor=passage.anchor, old=None, new=passage.text)
        for passage, text in zip(page.passages, page.normals, strict=True)
        if passage.anchor not in anchors and text and text not in texts
    ]
    return tuple(added[:MOST_CHANGES])


def _changes(
    passages: Iterable[tuple[Passage, str]], page: SearchableText
) -> Iterator[PassageChange]:
    normals = {
        passage.anchor: text for passage, text in zip(page.passages, page.normals, strict=True)
    }
    texts = set(page.normals)
    for passage, text in passages:
        same = normals.get(passage.anchor) == text if passage.anchor else text in texts
        if not same:
            now = counterpart(passage, page)
            new = now.text if now else None
            yield PassageChange(anchor=passage.anchor, old=passage.text, new=new)

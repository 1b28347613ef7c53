"""Choose the passages that bear citations, with a little of what stands around them."""

from __future__ import annotations

from collections.abc import Iterable

from jw_eval_store.domain.evidence import Passage
from jw_eval_store.text.anchors import Anchor
from jw_eval_store.text.passages import SearchableText
from jw_eval_store.text.phrases import contains, nearest_passage

CONTEXT = 1
"""Passages kept on each side."""

_LONGEST_RUN = 4


def carrying(text: SearchableText, phrase: str, anchor: Anchor | None = None) -> tuple[int, ...]:
    """Positions of the passages that hold a phrase: single ones, else the shortest run of them.

    None where it does not stand; all that the anchor covers where it runs over more than a few.
    """
    covered = _covered(text, anchor)
    for length in range(1, _LONGEST_RUN + 1):
        found = [
            run for run in _runs(covered, length) if contains(_joined(text, run), phrase)
        ]  # fmt: skip
        if found:
            return tuple(dict.fromkeys(position for run in found for position in run))
    return tuple(covered) if text.holds(phrase, anchor) else ()


def excerpt_positions(
    text: SearchableText, wanted: Iterable[tuple[tuple[str, ...], Anchor | None]]
) -> tuple[int, ...]:
    """Positions of all passages that an excerpt keeps, in page order.

    For each citation (phrases and anchor): what carries its phrases, and the cited anchor. Where
    no phrase is found the nearest passages are kept, so that the excerpt shows why; where nothing
    is quoted, the page's beginning.
    """
    kept: set[int] = set()
    for phrases, anchor in wanted:
        found = {at for phrase in phrases for at in carrying(text, phrase, anchor)}
        if not found:
            found = {at for phrase in phrases for at in _likely(text, phrase)}
        if anchor is not None:
            found |= set(_covered(text, anchor))
        kept |= found
    kept = kept or {0}
    last = len(text.passages)
    around = {at + step for at in kept for step in range(-CONTEXT, CONTEXT + 1)}
    return tuple(sorted(at for at in around if 0 <= at < last))


def passages_at(text: SearchableText, positions: Iterable[int]) -> tuple[Passage, ...]:
    """The passages at these positions."""
    return tuple(text.passages[at] for at in positions)


def _likely(text: SearchableText, phrase: str) -> tuple[int, ...]:
    """Where a phrase stands outside of its anchor, else the passage most like it."""
    if elsewhere := carrying(text, phrase):
        return elsewhere
    near = nearest_passage(text.passages, phrase)
    return (text.passages.index(near.passage),) if near else ()


def _covered(text: SearchableText, anchor: Anchor | None) -> list[int]:
    if anchor is None:
        return list(range(len(text.passages)))
    return [at for at, own in enumerate(text.anchors) if own is not None and anchor.contains(own)]


def _runs(covered: list[int], length: int) -> list[list[int]]:
    return [covered[start : start + length] for start in range(len(covered) - length + 1)]


def _joined(text: SearchableText, run: list[int]) -> str:
    return " ".join(text.normals[at] for at in run)

"""Evidence ready for searching: normal forms made once per content, phrases looked up by anchor."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.text.anchors import Anchor, parse_anchor
from jw_eval_store.text.normal import normal
from jw_eval_store.text.phrases import contains

_KEPT = 512


@dataclass(frozen=True)
class SearchableText:
    """A page's passages with their anchors and normal forms, in page order."""

    passages: tuple[Passage, ...]
    anchors: tuple[Anchor | None, ...]
    normals: tuple[str, ...]
    whole: str

    def within(self, anchor: Anchor | None) -> tuple[Passage, ...]:
        """The passages that an anchor covers; all for none."""
        if anchor is None:
            return self.passages
        return tuple(self.passages[i] for i in self._covered(anchor))

    def holds(self, phrase: str, anchor: Anchor | None = None) -> bool:
        """Whether the phrase stands in the page, or in the part of it that the anchor names.

        A phrase may run from one passage into the next.
        """
        if anchor is None:
            return contains(self.whole, phrase)
        return contains(" ".join(self.normals[i] for i in self._covered(anchor)), phrase)

    def passages_of(self, phrase: str, anchor: Anchor | None = None) -> tuple[str, ...]:
        """Anchors (may be empty texts) of the single passages that hold the phrase."""
        covered = range(len(self.passages)) if anchor is None else self._covered(anchor)
        return tuple(self.passages[i].anchor for i in covered if contains(self.normals[i], phrase))

    def _covered(self, anchor: Anchor) -> list[int]:
        return [i for i, own in enumerate(self.anchors) if own is not None and anchor.contains(own)]


_cache: OrderedDict[str, SearchableText] = OrderedDict()
_lock = Lock()


def searchable(evidence: Evidence) -> SearchableText:
    """The searchable form of evidence; the last few hundred are kept, by content hash."""
    key = evidence.content_hash
    with _lock:
        if key in _cache:
            _cache.move_to_end(key)
            return _cache[key]
    made = _prepare(evidence.passages)
    with _lock:
        _cache[key] = made
        if len(_cache) > _KEPT:
            _cache.popitem(last=False)
    return made


def _prepare(passages: tuple[Passage, ...]) -> SearchableText:
    normals = tuple(normal(passage.text) for passage in passages)
    return SearchableText(
        passages=passages,
        anchors=tuple(parse_anchor(passage.anchor) for passage in passages),
        normals=normals,
        whole=" ".join(text for text in normals if text),
    )

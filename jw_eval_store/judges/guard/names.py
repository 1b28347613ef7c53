"""Proper names that stand on one side only, with other words for the same one (Biblia, Escrituras).

The aliases are a data file; whoever misses one adds it there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache

from jw_eval_store.judges.guard.pairs import Difference, Pair, Side
from jw_eval_store.judges.guard.words import Word, read_data


@lru_cache
def aliases() -> Mapping[str, str]:
    """Lower-case name -> the first name of its group."""
    groups: list[list[str]] = json.loads(read_data("aliases.json"))
    return {name: group[0] for group in groups for name in group}


def canonical(word: Word) -> str:
    """One form for a word and its aliases: by how it is written, else by its lemma."""
    known = aliases()
    return known.get(word.lower) or known.get(word.lemma) or word.lemma


def names(pair: Pair) -> Iterator[Difference]:
    """Names of one sentence that the other doesn't mention in any case; firm where it is added."""
    missing = _names(pair.golden, pair.candidate)
    added = _names(pair.candidate, pair.golden)
    if missing:
        yield Difference(f"the candidate does not name {', '.join(missing)}")
    if added:
        yield Difference(f"the golden answer does not name {', '.join(added)}", firm=True)


def _names(side: Side, other: Side) -> list[str]:
    there = {canonical(word) for word in other.words}
    return sorted({w.written for w in side.words if _is_name(w) and canonical(w) not in there})


def _is_name(word: Word) -> bool:
    """A capital inside a sentence, or a known name anywhere."""
    return word.is_capital and (not word.first or word.lower in aliases())

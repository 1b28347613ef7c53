"""Bible references in any spelling: "Hch 15:29" is "Hechos 15:29"."""

from __future__ import annotations

from collections.abc import Iterator

from jw_eval_store.judges.guard.pairs import Difference, Pair, Side
from jw_eval_store.text.references import parse_references


def references(pair: Pair) -> Iterator[Difference]:
    """References that stand in one of the two sentences only; firm where one is added."""
    golden, candidate = _found(pair.golden), _found(pair.candidate)
    if golden != candidate:
        text = f"{_listed(golden)} against {_listed(candidate)}"
        yield Difference(text, firm=bool(candidate - golden))


def _listed(found: frozenset[str]) -> str:
    """Book numbers, chapters and verses, such as 44:15:29 for Acts 15:29."""
    return ", ".join(sorted(found)) or "no reference"


def _found(side: Side) -> frozenset[str]:
    return frozenset(found.key for found in parse_references(side.text, side.language))

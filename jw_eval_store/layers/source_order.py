"""The order of the findings' sources: exact prefix, first appearances, or documented priority."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from jw_eval_store.domain.expectations import SOURCE_PRIORITY, StructuralExpectation


def first_seen(sources: Iterable[str | None]) -> tuple[str, ...]:
    """Each source once, in order of first appearance; findings without a source are left out."""
    return tuple(dict.fromkeys(source for source in sources if source))


def order_problems(expected: StructuralExpectation, sources: Sequence[str | None]) -> Iterator[str]:
    """What is wrong with the order of sources, in words; nothing if none is expected.

    `prefix`: the first findings are of exactly these sources. `first_seen`: each listed source
    appears, for the first time in this order. `priority`: the known sources appear for the first
    time in the documented order, and each listed source appears. Healthy agents come back to an
    earlier source (question_refs, verse_text, question_refs, ...), so repetitions don't count.
    """
    wanted = expected.sources_in_order
    if expected.sources_order == "priority":
        yield from _missing(wanted, sources)
        yield from _priority(first_seen(sources))
    elif wanted and expected.sources_order == "first_seen":
        yield from _missing(wanted, sources)
        seen = [source for source in first_seen(sources) if source in wanted]
        if seen != [source for source in first_seen(wanted) if source in seen]:
            yield f"sources appear in the order {_chain(seen)}, expected {_chain(wanted)}"
    elif wanted and tuple(sources[: len(wanted)]) != wanted:
        yield (
            f"the first findings are of {_chain(sources[: len(wanted)])}, expected {_chain(wanted)}"
        )


def _missing(wanted: Iterable[str], sources: Sequence[str | None]) -> Iterator[str]:
    for source in first_seen(wanted):
        if source not in sources:
            yield f"no finding of source {source}, which is expected in the order"


def _priority(seen: Sequence[str]) -> Iterator[str]:
    known = [source for source in seen if source in SOURCE_PRIORITY]
    if not known:
        yield f"no finding is of a source with a documented priority (there: {_chain(seen)})"
    for before, after in pairwise(known):
        if _rank(before) > _rank(after):
            yield f"source {after} appears only after {before}, which has a lower priority"


def _rank(source: str) -> int:
    """Place in the documented order, where the Topic Index is one source of several kinds."""
    return -1 if source.startswith("topic_index") else SOURCE_PRIORITY.index(source)


def _chain(sources: Sequence[str | None]) -> str:
    return " > ".join(source or "(no source)" for source in sources) or "none"

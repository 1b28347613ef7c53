"""How wide columns stand on a page: ids, numbers and verdicts whole, only prose is folded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_WORD = 40
"""Characters up to which a column of single words, such as ids, is kept whole."""

LEAST_PROSE = 12
"""Characters below which prose can't be read."""

_WORD_OF_PROSE = 24
"""Characters up to which a word in prose is kept whole."""

_GAPS = (2, 1)
"""Blanks between columns: the second number where the first one leaves too little room."""


@dataclass(frozen=True)
class Column:
    """One column: a sign `>` aligns it to the right, `!` keeps it whole whatever it holds."""

    name: str
    right: bool = False
    whole: bool = False


def column(written: str) -> Column:
    """A column by its name with signs."""
    signs = written[:2]
    return Column(written.lstrip(">!"), ">" in signs, ">" in signs or "!" in signs)


@dataclass(frozen=True)
class Layout:
    """The columns shown, by number, how wide each is, and the blanks between them."""

    shown: tuple[int, ...]
    widths: tuple[int, ...]
    gap: int


@dataclass(frozen=True)
class _Needs:
    """What a column can't do without, and what it would take."""

    least: int
    most: int


def laid_out(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    room: int,
    optional: Sequence[str] = (),
) -> Layout | None:
    """All columns, or without those of `optional` that have no room, the first of them first.

    None where not even the others have room.
    """
    needs = [_needs(known, [row[n] for row in rows]) for n, known in enumerate(columns)]
    names = [known.name for known in columns]
    shown = [n for n, name in enumerate(names) if name not in optional]
    if _spare(needs, shown, room, min(_GAPS)) < 0:
        return None
    for name in reversed(optional):
        more = sorted([*shown, *(n for n, known in enumerate(names) if known == name)])
        shown = more if _spare(needs, more, room, min(_GAPS)) >= 0 else shown
    gap = next(gap for gap in _GAPS if _spare(needs, shown, room, gap) >= 0)
    spare = _spare(needs, shown, room, gap)
    return Layout(tuple(shown), _shared([needs[n] for n in shown], spare), gap)


def _spare(needs: Sequence[_Needs], shown: Sequence[int], room: int, gap: int) -> int:
    return room - gap * (len(shown) - 1) - sum(needs[n].least for n in shown)


def _needs(known: Column, cells: Sequence[str]) -> _Needs:
    """A heading may be folded between its words."""
    lines = [line for cell in cells for line in cell.splitlines()]
    words = [word for line in lines for word in line.split()]
    title, longest_line = _longest(known.name.split()), _longest(lines)
    most = max(longest_line, _longest([known.name]))
    if known.whole or _single_words(cells):
        return _Needs(max(longest_line, title), most)
    prose = min(longest_line, max(LEAST_PROSE, min(_longest(words), _WORD_OF_PROSE)))
    return _Needs(max(prose, title), most)


def _single_words(cells: Sequence[str]) -> bool:
    return all(len(cell) <= LONGEST_WORD and len(cell.split()) <= 1 for cell in cells)


def _longest(texts: Sequence[str]) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, texts), default=0)


def _shared(needs: Sequence[_Needs], spare: int) -> tuple[int, ...]:
    """What is left goes in equal parts to all that would take it."""
    widths = [need.least for need in needs]
    while spare > 0:
        wanting = [n for n, need in enumerate(needs) if widths[n] < need.most]
        if not wanting:
            break
        for n in wanting:
            part = min(max(1, spare // len(wanting)), needs[n].most - widths[n], spare)
            widths[n] += part
            spare -= part
    return tuple(widths)

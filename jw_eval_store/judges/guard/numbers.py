"""Numbers in figures, words and Roman numerals: 144.000 = 144,000 = ciento cuarenta y cuatro mil.

Figures of Bible references count too, equal where the references are; `un`, `one` and `um` are
articles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from jw_eval_store.judges.guard.pairs import Difference, Pair, Side
from jw_eval_store.judges.guard.words import Word

_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_ROMAN = re.compile(r"[IVXLC]{2,}")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def numbers(pair: Pair) -> Iterator[Difference]:
    """Numbers that stand in one of the two sentences only; firm where the candidate adds one."""
    golden, candidate = _values(pair.golden), _values(pair.candidate)
    if golden != candidate:
        text = f"{_listed(golden)} against {_listed(candidate)}"
        yield Difference(text, firm=bool(candidate - golden))


def _listed(values: frozenset[Decimal]) -> str:
    return ", ".join(f"{value:f}" for value in sorted(values)) or "no number"


def _values(side: Side) -> frozenset[Decimal]:
    """All numbers of a sentence; number words in a row make one."""
    found: set[Decimal] = set()
    row: list[Decimal] = []
    for word in side.words:
        value = _value(word, side)
        if value is not None:
            row.append(value)
        elif not (row and word.lower in side.lexicon.joiners):
            found.update(_sums(row))
            row = []
    return frozenset(found | set(_sums(row)))


def _value(word: Word, side: Side) -> Decimal | None:
    if word.written[0].isdigit():
        return _figure(re.sub(r"(?:st|nd|rd|th)$", "", word.lower))
    if _ROMAN.fullmatch(word.written):
        return Decimal(_roman(word.written))
    known = side.lexicon.numbers.get(word.lower)
    return None if known is None else Decimal(known)


def _figure(written: str) -> Decimal | None:
    plain = re.sub(r"[.,]", "", written) if _GROUPED.fullmatch(written) else written
    try:
        return Decimal(plain.replace(",", ".")).normalize()
    except InvalidOperation:
        return None


def _roman(written: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in written]
    smaller = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in smaller)


def _sums(row: list[Decimal]) -> Iterator[Decimal]:
    """`[100, 40, 4, 1000]` -> 144000; a row that is a list (`2, 3`) gives each of its numbers."""
    total, current = Decimal(0), Decimal(0)
    for value in row:
        if value >= 1000 and value % 1000 == 0 and current:
            total, current = total + current * value, Decimal(0)
        elif value == 100 and 0 < current < 10:
            current *= value
        elif current == 0 or current % 100 == 0 or (current % 10 == 0 and value < 10):
            current += value
        else:
            yield total + current
            total, current = Decimal(0), value
    if row:
        yield (total + current).normalize()

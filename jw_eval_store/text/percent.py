"""Shares as people read them, never nearer to the bar than they are."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal


def share_passed(share: float) -> str:
    """A rate from 0 to 1 to one decimal, rounded down: 2,999 of 3,000 are 99.9 %, not all."""
    return f"{_percent(share).quantize(Decimal('0.1'), ROUND_DOWN)}%"


def bar(share: float) -> str:
    """What is wanted, with all its digits: 0.995 is 99.5 %, not 100."""
    return f"{_percent(share).normalize():f}%"


def _percent(share: float) -> Decimal:
    """Of the shortest decimal that is this number, so that 0.07 is 7 and no more."""
    return Decimal(repr(float(share))) * 100

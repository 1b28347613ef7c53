"""Numbers of things, as people read them."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """`1 case`, `1,200 cases`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"

"""Suggest what was probably meant: the nearest of the names that exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, if any is like it at all; case does not count."""
    folded = {other.casefold(): other for other in known}
    matches = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[matches[0]] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint that names the nearest known name, or lists the few that there are."""
    names = sorted(known)
    match = nearest(name, names)
    if match:
        return f"did you mean {match}?"
    return f"known: {', '.join(names)}" if 0 < len(names) <= 12 else None

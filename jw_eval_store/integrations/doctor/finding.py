"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "broken"]


@dataclass(frozen=True)
class Finding:
    """One part of the set-up. `note`: works, but something is missing that may be wanted.

    `hint` is the next step, empty where there is none.
    """

    part: str
    state: State
    text: str
    hint: str = ""


def fine(part: str, text: str) -> Finding:
    """It works."""
    return Finding(part, "ok", text)


def note(part: str, text: str, hint: str) -> Finding:
    """It works, with something missing."""
    return Finding(part, "note", text, hint)


def broken(part: str, text: str, hint: str) -> Finding:
    """It does not work."""
    return Finding(part, "broken", text, hint)

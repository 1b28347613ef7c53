"""What callers hand in, looked at before it is used: a wrong argument is said as such, by its name.

Each function raises UsageError for what it does not take.
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from jw_eval_store.domain.errors import UsageError

LARGEST = 2**63 - 1
"""The largest integer that a database holds."""


def a_text(name: str, value: object, *, none: bool = False, blank: bool = False) -> None:
    """A text that can be stored; none or a blank one only where that is said."""
    if value is None and none:
        return
    if not isinstance(value, str):
        raise _wrong(name, value, "give a text")
    if not _is_storable(value):
        raise _wrong(name, value, "give a text of Unicode characters, without a null character")
    if not (blank or value.strip()):
        raise _wrong(name, value, "give it a value, or leave it out")


def one_of(name: str, value: object, known: Collection[str]) -> None:
    """One of a few words."""
    if not (isinstance(value, str) and value in known):
        raise _wrong(name, value, f"known: {', '.join(known)}")


def a_number(name: str, value: object, *, none: bool = False, least: int = 1) -> None:
    """A whole number that a database holds."""
    if value is None and none:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value > LARGEST:
        raise _wrong(name, value, "give a whole number of at most 64 bits")
    if value < least:
        raise _wrong(name, value, f"give {least} or more")


def a_duration(name: str, value: object) -> None:
    """Seconds."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not _lasts(value):
        raise _wrong(name, value, "give a number of seconds above 0")


def a_flag(name: str, value: object) -> None:
    """True or false: the text `no` would count as true."""
    if not isinstance(value, bool):
        raise _wrong(name, value, "give True or False")


def a_path(name: str, value: object, *, none: bool = False) -> None:
    """The path of a file or folder."""
    if value is None and none:
        return
    if not isinstance(value, str | os.PathLike) or "\0" in str(value):
        raise _wrong(name, value, "give a path")


def a_scalar(name: str, value: object) -> None:
    """A value that SQL takes."""
    if isinstance(value, str):
        if not _is_storable(value, null=True):
            raise _wrong(name, value, "give a text of Unicode characters")
    elif isinstance(value, int):
        if not -LARGEST - 1 <= value <= LARGEST:
            raise _wrong(name, value, "give a number of at most 64 bits, or a text")
    elif not isinstance(value, float | bytes | None):
        raise _wrong(name, value, "give a text, a number, bytes or None")


def a_mapping(name: str, value: object) -> None:
    """Names and what they stand for."""
    if not isinstance(value, Mapping):
        raise _wrong(name, value, "give a mapping")
    for key in value:
        a_text(f"a name in {name}", key)


def listed(name: str, value: Any) -> list[Any]:
    """Several values as a list; a text alone is one of them."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise _wrong(name, value, "give a list")
    return list(value)


def able(name: str, value: object, *members: str, function: bool = False) -> None:
    """None, what has these members, or a function where one will do."""
    if value is None or (function and callable(value)):
        return
    has_all = all(hasattr(value, member) for member in members)
    if not members or isinstance(value, type) or not has_all:
        named = " and ".join(f"`{member}`" for member in members)
        raise _wrong(name, value, f"give an object with {named}" if members else "give a function")


def _lasts(seconds: float) -> bool:
    return 0 < seconds <= LARGEST


def _is_storable(text: str, *, null: bool = False) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return null or "\0" not in text


def _wrong(name: str, value: object, hint: str) -> UsageError:
    return UsageError(f"{name} is {reprlib.repr(value)}", hint=hint)

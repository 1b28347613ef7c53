"""Plain JSON of whatever an agent returned, made where the agent runs, since only JSON travels.

What is not JSON becomes text rather than an error: it stands in metadata, which no layer judges,
and a text keeps it visible. That text never holds a memory address, which differs at every run.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 60
"""Deeper nesting than this is taken for a cycle."""

_SHAPED = ("findings", "summary", "text", "url")


class TooDeepError(ValueError):
    """The result refers to itself, or is nested beyond all use."""


def plain(value: Any, depth: int = 0) -> Any:
    """JSON form of a value: dataclasses, objects with `to_dict()`, pydantic models and mappings
    become dicts, sequences lists, sets sorted lists, all else its text.

    Raises TooDeepError for cycles, and whatever an object's own `to_dict()` raises.
    """
    kind = type(value)
    if kind is str or value is None or kind is bool or kind is int:
        return value
    if depth > MAX_DEPTH:
        raise TooDeepError(f"nested deeper than {MAX_DEPTH} levels, or refers to itself")
    if isinstance(value, Mapping):
        return {_key(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_asdict"):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item, depth + 1) for item in value), key=repr)
    fields = _fields(value)
    return _scalar(value) if fields is None else plain(fields, depth + 1)


def _key(key: Any) -> str:
    return key if type(key) is str else str(_scalar(key))


def _fields(value: Any) -> Any:
    """An object's content, or none where it has no known shape."""
    if isinstance(value, type):
        return None
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    for method in ("to_dict", "model_dump", "_asdict"):
        if callable(getattr(value, method, None)):
            return getattr(value, method)()
    if any(hasattr(value, name) for name in _SHAPED) and hasattr(value, "__dict__"):
        return {name: item for name, item in vars(value).items() if not name.startswith("_")}
    return None


def _scalar(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return plain(value.value, MAX_DEPTH)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    for base in (str, bool, int):
        if isinstance(value, base):
            return base(value)
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "replace")
    name = type(value).__qualname__
    if isinstance(value, BaseException):
        return f"{name}: {value}"
    text = str(value)
    return f"<{name}>" if " at 0x" in text else text

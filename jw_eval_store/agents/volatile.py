"""Fields that differ at every run: dropped before an output is hashed, stored or compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.outputs import AgentOutput

KNOWN_VOLATILE = ("citation.metadata.accessed_at", "result.metadata.trace_id")
"""What the toolkit's agents stamp on each result."""

_PLACES = ("result", "finding", "citation")


def check_paths(paths: Iterable[str]) -> None:
    """Refuse a path that could never drop anything. Raises UsageError."""
    for path in paths:
        place, _, rest = path.partition(".")
        if place not in _PLACES or not rest or rest == "findings":
            raise UsageError(
                f"volatile = {path!r} names no field of an output",
                hint="write result.metadata.KEY, finding.metadata.KEY or citation.metadata.KEY",
            )


def drop(result: dict[str, Any], paths: Iterable[str]) -> dict[str, Any]:
    """The result (toolkit's shape, plain JSON) without the fields at the dotted paths.

    A path starts with `result`, `finding` or `citation` and holds for each of them.
    """
    for path in paths:
        place, *keys = path.split(".")
        for holder in _holders(result, place):
            _drop_from(holder, keys)
    return result


def differing(first: AgentOutput, second: AgentOutput) -> list[str]:
    """Dotted paths at which two outputs of one question differ: candidates for `volatile`."""
    found = set(_differences(first.model_dump(mode="json"), second.model_dump(mode="json"), ""))
    return sorted(found)


def _holders(result: dict[str, Any], place: str) -> Iterator[dict[str, Any]]:
    if place == "result":
        yield result
    for finding in result["findings"] if place != "result" else ():
        yield finding if place == "finding" else finding["citation"]


def _drop_from(holder: Any, keys: list[str]) -> None:
    for key in keys[:-1]:
        holder = holder.get(key) if isinstance(holder, dict) else None
    if isinstance(holder, dict):
        holder.pop(keys[-1], None)


def _differences(first: Any, second: Any, path: str) -> Iterator[str]:
    if isinstance(first, dict) and isinstance(second, dict):
        for key in {*first, *second}:
            yield from _differences(first.get(key), second.get(key), _below(path, key))
    elif path == "finding" and isinstance(first, list) and isinstance(second, list):
        if len(first) != len(second):
            yield "findings"
        for one, other in zip(first, second, strict=False):
            yield from _differences(one, other, path)
    elif first != second:
        yield path


def _below(path: str, key: str) -> str:
    if not path:
        return "finding" if key == "findings" else f"result.{key}"
    return "citation" if (path, key) == ("finding", "citation") else f"{path}.{key}"

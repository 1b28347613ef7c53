"""Show what differs in an input: the agent's file, the page's passage, the case's field.

Inputs are looked up by content address, so that a report from another machine is described as far
as this store knows what went into it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from jw_eval_store.runs.comparing import Describe
from jw_eval_store.store import inputs
from jw_eval_store.store.connect import Connection

SHOWN = 3
"""Differences shown of one input; the rest is counted."""
LENGTH = 90
"""Characters shown of a value."""


def describer(conn: Connection) -> Describe:
    """A function that says, a line each, what differs in an input of a case."""
    shared = lru_cache(maxsize=512)(lambda name, old, new: _lines(conn, "", name, old, new))

    def describe(case_id: str, name: str, old: str | None, new: str | None) -> tuple[str, ...]:
        if name == "case":
            return _lines(conn, case_id, name, old, new)
        return shared(name, old, new)

    return describe


def _lines(
    conn: Connection, case_id: str, name: str, old: str | None, new: str | None
) -> tuple[str, ...]:
    lines = [f"{name}: {line}" for line in _found(conn, case_id, name, old, new)]
    more = [f"{name}: and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return tuple(lines[:SHOWN] + more)


def _found(
    conn: Connection, case_id: str, name: str, old: str | None, new: str | None
) -> list[str]:
    if old is None or new is None or "unknown" in (old, new):
        return [f"{short(old)} -> {short(new)}"]
    if name == "layer":
        return [f"version {old} -> {new}"]
    if name == "settings":
        return list(_values(json.loads(old), json.loads(new)))
    if name == "evidence":
        return list(_evidence(conn, old, new))
    before, after = (_stored(conn, case_id, name, digest) for digest in (old, new))
    if before is None or after is None:
        return [f"{short(old)} -> {short(new)} (not both known to this store)"]
    return list(_values(before, after)) or [f"{short(old)} -> {short(new)}"]


def _stored(conn: Connection, case_id: str, name: str, digest: str) -> Mapping[str, Any] | None:
    if name == "case":
        return inputs.case_definition(conn, case_id, digest)
    if name == "agent":
        return inputs.agent_detail(conn, digest)
    if name == "judge":
        return inputs.judge_body(conn, digest)
    if name == "recording":
        return inputs.exchanges_of(conn, digest) or None
    label = inputs.embedder_label(conn, digest)
    return {"model": label} if label else None


def _values(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """`expected.min_findings: 1 -> 2`; nested values by path, files and pages by name alone."""
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if before == after or (not path and key in ("metadata", "lint")):
            continue
        name = f"{path}.{key}" if path else key
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _values(before, after, name)
        else:
            yield f"{name}: {shown(before)} -> {shown(after)}"


def _evidence(conn: Connection, old: str, new: str) -> Iterator[str]:
    before, after = inputs.pages_of_set(conn, old), inputs.pages_of_set(conn, new)
    if not before or not after:
        yield f"{short(old)} -> {short(new)} (not both known to this store)"
        return
    for key in sorted(before.keys() | after.keys()):
        (was, old_text), (is_, new_text) = (pages.get(key, (None, {})) for pages in (before, after))
        if was != is_:
            yield f"{key}: origin {was or 'none'} -> {is_ or 'none'}"
        for anchor in dict.fromkeys([*old_text, *new_text]):
            texts = [" ".join(side.get(anchor, ())) for side in (old_text, new_text)]
            if texts[0] != texts[1]:
                place = f"{key}#{anchor}" if anchor else key
                yield f"{place}: {' -> '.join(_around(*texts))}"


def _around(old: str, new: str) -> tuple[str, str]:
    """Both texts from shortly before the place where they part."""
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
                min(len(old), len(new)))  # fmt: skip
    start = max(0, same - LENGTH // 3)
    return shown(old[start:]), shown(new[start:])


def shown(value: Any) -> str:
    """A value as JSON, cut; content addresses by their first digits."""
    if value is None:
        return "nothing"
    if isinstance(value, str) and value.startswith("sha256:"):
        return short(value)
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LENGTH else text[: LENGTH - 1] + "…"


def short(digest: str | None) -> str:
    """The first digits of a content address."""
    return digest[:19] if digest else "none"

"""Name what changed since a case was last judged: the field, the file, the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.history import (
    SetupRow,
    changed_pages,
    definition_of,
    fingerprint_detail,
    setup_row,
)
from jw_eval_store.store.planning import LastInputs, Planned

SHOWN = 3
"""So many names are listed; the rest is counted."""


def changed_inputs(conn: Connection) -> Callable[[Planned, LastInputs], Sequence[str]]:
    """A function that says, for a stale case, which of its inputs differ from last time."""

    def changes(item: Planned, last: LastInputs) -> Sequence[str]:
        return tuple(_changes(conn, item, last))

    return changes


def _changes(conn: Connection, item: Planned, last: LastInputs) -> Iterator[str]:
    if item.case.equivalent != last.equivalent:
        before, after = (definition_of(conn, key) for key in (last.equivalent, item.case.revision))
        yield "case edited: " + _named(different_keys(before, after))
    if item.setup != last.setup:
        yield from _setup_changes(conn, setup_row(conn, last.setup), setup_row(conn, item.setup))
    pages = changed_pages(conn, item.case.revision, last.evidence_set)
    if pages:
        yield "evidence changed: " + _named(pages)
    if item.recording != last.recording:
        yield "recording changed"


def _setup_changes(conn: Connection, before: SetupRow, after: SetupRow) -> Iterator[str]:
    if before.agent_fingerprint_id != after.agent_fingerprint_id:
        yield _agent_change(conn, before, after)
    if before.layer_version != after.layer_version:
        yield f"layer changed: version {before.layer_version} -> {after.layer_version}"
    if before.embedder_id != after.embedder_id:
        yield "embedder changed"
    if before.judge_id != after.judge_id:
        yield "judge changed"
    if before.settings != after.settings:
        yield "policy changed: evidence that counts, or thresholds"


def _agent_change(conn: Connection, before: SetupRow, after: SetupRow) -> str:
    if before.agent_fingerprint_id is None or after.agent_fingerprint_id is None:
        return "agent changed: its fingerprint is not known"
    old, new = (
        fingerprint_detail(conn, key)
        for key in (before.agent_fingerprint_id, after.agent_fingerprint_id)
    )
    return "agent changed: " + (_named(different_keys(old, new)) or "another agent")


def different_keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Names of the values that differ, nested ones by path: `files: agents/x.py`."""
    found: list[str] = []
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += [f"{key}: {name}" for name in different_keys(old, new)]
        else:
            found.append(key)
    return found


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more

"""Name what changed since a case was last judged: the field, the file, the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jw_eval_store.agents.interface import AgentFingerprint
from jw_eval_store.agents.staleness import changes as agent_changes
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.history import (
    SetupRow,
    changed_exchanges,
    changed_pages,
    definition_of,
    embedder_detail,
    fingerprint_detail,
    judge_detail,
    setup_row,
)
from jw_eval_store.store.planning import LastInputs, Planned
from jw_eval_store.store.rows import stored_json
from jw_eval_store.store.used_files import used_files

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
        yield _recording_change(conn, last.recording, item.recording)


def _setup_changes(conn: Connection, before: SetupRow, after: SetupRow) -> Iterator[str]:
    if before.agent_fingerprint_id != after.agent_fingerprint_id:
        yield _agent_change(conn, before, after)
    if before.layer_version != after.layer_version:
        yield f"layer changed: version {before.layer_version} -> {after.layer_version}"
    if before.embedder_id != after.embedder_id:
        yield "embedder changed: " + _part(conn, embedder_detail, before, after, "embedder_id")
    if before.judge_id != after.judge_id:
        yield "judge changed: " + _part(conn, judge_detail, before, after, "judge_id")
    if before.settings != after.settings:
        old, new = stored_json(before.settings), stored_json(after.settings)
        yield "policy changed: " + _values(old, new)


def _part(
    conn: Connection,
    detail: Callable[[Connection, int | None], dict[str, Any]],
    before: SetupRow,
    after: SetupRow,
    name: str,
) -> str:
    return _values(detail(conn, getattr(before, name)), detail(conn, getattr(after, name)))


def _values(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Each value that differs, as it was and is: `model: 'a' -> 'b'`; long ones by name alone."""
    if not before or not after:
        return "none before" if after else "none now"
    return _named([_value(name, before, after) for name in different_keys(before, after)])


def _value(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    old, new = _at(before, name), _at(after, name)
    change = f"{old!r} -> {new!r}"
    return name if None in (old, new) or len(change) > 80 else f"{name} {change}"


def _at(values: Mapping[str, Any], name: str) -> Any:
    """The value of a name of `different_keys`: nested ones are named by path."""
    found: Any = values
    for part in name.split(": "):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _recording_change(conn: Connection, before: int | None, after: int | None) -> str:
    if before is None or after is None:
        return "recording changed: none before" if after else "recording changed: none now"
    found = changed_exchanges(conn, before, after)
    return "recording changed: " + (_named(found) or "the order of its requests")


def _agent_change(conn: Connection, before: SetupRow, after: SetupRow) -> str:
    """Of its files those that the answers depended on, as staleness is told."""
    if before.agent_fingerprint_id is None:
        return "agent changed: what it depended on was not known then"
    if after.agent_fingerprint_id is None:
        return "agent changed: what it depends on is not known now"
    old, new = (
        AgentFingerprint.from_detail("", fingerprint_detail(conn, key))
        for key in (before.agent_fingerprint_id, after.agent_fingerprint_id)
    )
    found = agent_changes(old, new, used_files(conn, before.agent_fingerprint_id))
    named = [re.sub("^agent('s)? ", "", one) for one in found]
    return "agent changed: " + (_named(named) or "another agent")


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

"""List cases, show one, its history, and what differs between two of its revisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.domain.selections import Selection
from jw_eval_store.golden.reading import Case
from jw_eval_store.runs.registry.opening import Registry, opened
from jw_eval_store.runs.selecting import selected
from jw_eval_store.runs.syncing import refused_files_first
from jw_eval_store.store.cases import (
    CaseEvent,
    CaseRow,
    archived_cases,
    history,
    load_cases,
    revision_by_number,
    source_of,
)


@dataclass(frozen=True)
class CaseList:
    """Cases by id, and the files that were refused on the way."""

    cases: Sequence[CaseRow]
    invalid: Sequence[InvalidFile] = field(default=())
    notices: Sequence[str] = field(default=())


@dataclass(frozen=True)
class ShownCase:
    """A case at one of its revisions, with its YAML and where its file is."""

    row: CaseRow
    number: int
    case: Case
    source: str
    path: Path | None


def list_cases(
    config: Config,
    selection: Selection | None = None,
    *,
    demonstration: bool = False,
    archived: bool = False,
) -> CaseList:
    """The cases that a selection means (default: all), or those in the archive.

    Raises EmptySelectionError where nothing, or one of the names asked for, matches no case.
    """
    with opened(config, demonstration=demonstration) as registry:
        chosen = selection or Selection(layers=LAYERS)
        with refused_files_first(registry.synced):
            rows = _archived(registry, chosen) if archived else selected(
                registry.conn,
                chosen,
                layers_asked=chosen.layers != LAYERS,
                bundled=True if demonstration else (None if config.settings.samples else False),
            )  # fmt: skip
        return CaseList(rows, registry.synced.invalid, registry.synced.notices)


def _archived(registry: Registry, chosen: Selection) -> list[CaseRow]:
    """The archived cases that a selection means; tags are those of current cases only."""
    if chosen.tags:
        raise UsageError("archived cases can't be selected by tag", hint="leave the tag out")
    wanted = (
        ("layer", chosen.layers),
        ("agent", chosen.agents),
        ("language", chosen.languages),
        ("case_id", chosen.case_ids),
        ("topic", chosen.topics),
    )
    rows = [
        row
        for row in archived_cases(registry.conn)
        if all(getattr(row, part) in values for part, values in wanted if values)
    ]
    if not rows:
        raise EmptySelectionError("no such case is archived", hint="jw-eval cases list")
    return rows


def show_case(
    config: Config, case_id: str, *, number: int | None = None, demonstration: bool = False
) -> ShownCase:
    """A case as it is, or as it was at revision `number`."""
    with opened(config, demonstration=demonstration) as registry:
        row = registry.row(case_id)
        key = _revision(registry, row, number)
        case = load_cases(registry.conn, [key])[key]
        source = source_of(registry.conn, key)
        return ShownCase(row, number or row.number, case, source, registry.path_of(row))


def case_history(config: Config, case_id: str, *, demonstration: bool = False) -> list[CaseEvent]:
    """What happened to a case, oldest first."""
    with opened(config, demonstration=demonstration) as registry:
        return history(registry.conn, registry.row(case_id))


def diff_case(
    config: Config, case_id: str, before: int | None = None, after: int | None = None
) -> str:
    """Unified diff of a case's YAML between two revisions; empty if they are equal.

    Without numbers: the registry against the case's file where they differ, else the revision
    before the current one against it. Raises UsageError for a case with a single revision.
    """
    with opened(config) as registry:
        row = registry.row(case_id)
        current = source_of(registry.conn, row.revision)
        path = registry.path_of(row)
        if before is None and after is None and path is not None:
            written = path.read_bytes().decode("utf-8", "replace")
            if written != current:
                return _diff(current, written, f"{case_id} in the registry", str(path))
        newer = after or row.number
        older = before or _previous(registry, row, newer)
        old, new = (source_of(registry.conn, _revision(registry, row, n)) for n in (older, newer))
        return _diff(old, new, f"{case_id} revision {older}", f"{case_id} revision {newer}")


def _previous(registry: Registry, row: CaseRow, newer: int) -> int:
    """The revision that was current before another: the newest event's before it."""
    numbers = [event.number for event in history(registry.conn, row)]
    earlier = [number for number in numbers[: _last(numbers, newer)] if number != newer]
    if not earlier:
        raise UsageError(
            f"case {row.case_id!r} has no revision before {newer}",
            hint=f"jw-eval cases history {row.case_id}",
        )
    return earlier[-1]


def _last(numbers: list[int], number: int) -> int:
    return len(numbers) - numbers[::-1].index(number) if number in numbers else len(numbers)


def _revision(registry: Registry, row: CaseRow, number: int | None) -> int:
    if number is None:
        return row.revision
    key = revision_by_number(registry.conn, row, number)
    if key is None:
        raise EmptySelectionError(
            f"case {row.case_id!r} has no revision {number}",
            hint=f"jw-eval cases history {row.case_id}",
        )
    return key


def _diff(before: str, after: str, name: str, other: str) -> str:
    lines = unified_diff(before.splitlines(), after.splitlines(), name, other, lineterm="")
    return "".join(f"{line}\n" for line in lines)

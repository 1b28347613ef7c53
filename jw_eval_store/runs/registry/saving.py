"""One way to make a case's content current: in the store and in its file, or in neither."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.golden.folders import file_name, unfit_for_a_name
from jw_eval_store.golden.reading import ReadCase
from jw_eval_store.runs.registry.files import create_file, replace_file
from jw_eval_store.runs.registry.opening import Registry
from jw_eval_store.store.cases import CaseRow, EventKind, find_case, put_case
from jw_eval_store.store.connect import transaction
from jw_eval_store.store.synced import SyncedFile, put_synced

Outcome = Literal["added", "changed", "restored", "unchanged"]


@dataclass(frozen=True)
class Saved:
    """What became of a case. `path`: its file, where a folder of cases is configured."""

    case_id: str
    number: int
    outcome: Outcome
    path: Path | None


def refuse_unfit_id(registry: Registry, case_id: str) -> None:
    """Raise UsageError for a new id that is no file's name, or that of another, on some systems."""
    if problem := unfit_for_a_name(case_id):
        raise UsageError(
            f"case id {case_id!r} can't be the name of a file: {problem}",
            hint="choose another id",
        )
    if other := registry.spelt_otherwise(case_id):
        raise UsageError(
            f"case id {case_id!r} differs from {other!r} in upper and lower case only, and both are"
            " the same file on Windows and macOS",
            hint="choose another id",
        )


def save(
    registry: Registry,
    read: ReadCase,
    kind: EventKind,
    *,
    author: str | None = None,
    reason: str | None = None,
) -> Saved:
    """Store a case as read, and write its file in the configured folder.

    Raises UsageError where the file holds something else; then nothing is stored either.
    """
    before = find_case(registry.conn, read.case.id)
    with transaction(registry.conn) as conn:
        source = read.source.decode("utf-8")
        row = put_case(conn, read.case, source, kind, author=author, reason=reason)
        path = write_file(registry, row, read.source)
    if before is None:
        registry.remember_id(row.case_id)
    return Saved(read.case.id, row.number, outcome(before, row), path)


def outcome(before: CaseRow | None, row: CaseRow) -> Outcome:
    """What became of a case, from its rows before and after."""
    if before is None:
        return "added"
    if before.archived:
        return "restored"
    return "unchanged" if before.revision == row.revision else "changed"


def write_file(registry: Registry, row: CaseRow, source: bytes) -> Path | None:
    """Write a case's file where a folder is configured; inside a transaction."""
    if not registry.folders:
        return None
    path = registry.path_of(row)
    if path is None:
        path = registry.folders[0] / row.layer / file_name(row.case_id)
        create_file(path, source)
    else:
        refuse_conflict(registry, path)
        replace_file(path, source, registry.known_hash(path))
    remember_file(registry, path, row)
    return path


def refuse_conflict(registry: Registry, path: Path) -> None:
    """Raise UsageError for a file that the sync refused: its content is in no registry."""
    for problem in registry.synced.invalid:
        if Path(problem.path) == path:
            raise UsageError(f"{path}: {problem.message}", hint=problem.hint)


def remember_file(registry: Registry, path: Path, row: CaseRow) -> None:
    """Let the next sync know what the file holds; inside a transaction."""
    root = registry.folder_of(path)
    if root is None:
        return
    stat, digest = path.stat(), content_hash(path.read_bytes())
    file = SyncedFile(
        path.as_posix(),
        root.as_posix(),
        "case",
        stat.st_size,
        stat.st_mtime_ns,
        digest,
        row.revision,
    )
    put_synced(registry.conn, [file])

"""Import cases from files, and export them to a folder; both may be repeated at will."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.hashing import content_hash
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.domain.selections import Selection
from jw_eval_store.golden.folders import file_name, files_of, read_file, read_files
from jw_eval_store.golden.reading import ReadCase
from jw_eval_store.runs.registry.files import create_file, replace_file
from jw_eval_store.runs.registry.opening import Registry, opened
from jw_eval_store.runs.registry.saving import Saved, outcome, refuse_unfit_id, remember_file, save
from jw_eval_store.runs.selecting import selected
from jw_eval_store.runs.syncing import refused_files_first
from jw_eval_store.store.cases import CaseRow, find_case, put_case, source_of
from jw_eval_store.store.connect import transaction


@dataclass(frozen=True)
class ImportReport:
    """What an import did: each case, and each file that was refused."""

    saved: Sequence[Saved]
    invalid: Sequence[InvalidFile] = field(default=())


@dataclass(frozen=True)
class ExportReport:
    """What an export did: files written, files that were so already, files in the way."""

    written: Sequence[Path]
    unchanged: Sequence[Path]
    invalid: Sequence[InvalidFile] = field(default=())


def import_cases(
    config: Config, paths: Sequence[Path], *, author: str | None = None, reason: str | None = None
) -> ImportReport:
    """Take in the cases of files and folders; their content becomes current. Archives nothing.

    Raises EmptySelectionError where there is no case file at all.
    """
    reads, invalid = read_files(files_of(paths))
    if not reads and not invalid:
        raise EmptySelectionError(
            f"no case file in {', '.join(map(str, paths))}", hint="case files end in .yaml or .yml"
        )
    saved: list[Saved] = []
    with opened(config) as registry:
        for read in reads:
            try:
                saved.append(_imported(registry, read, author, reason))
            except UsageError as error:
                problem = InvalidFile(path=read.path, message=error.message, hint=error.hint)
                invalid.append(problem)
    return ImportReport(saved, invalid)


def _imported(registry: Registry, read: ReadCase, author: str | None, reason: str | None) -> Saved:
    """Save a case; one that is read from its own file in a configured folder stays there."""
    row = find_case(registry.conn, read.case.id)
    if row is None:
        refuse_unfit_id(registry, read.case.id)
    elif row.bundled:
        raise UsageError(
            f"case {row.case_id!r} came with jw-eval and serves demonstrations only",
            hint="give yours another id",
        )
    path = Path(read.path)
    if registry.folder_of(path) is None:
        return save(registry, read, "import", author=author, reason=reason)
    held = registry.path_of(row) if row else None
    if held not in (None, path):
        message = f"case id {read.case.id!r} is already in {held}"
        raise UsageError(message, hint="give one of the two another id")
    with transaction(registry.conn) as conn:
        source = read.source.decode("utf-8")
        new = put_case(conn, read.case, source, "import", author=author, reason=reason)
        remember_file(registry, path, new)
    if row is None:
        registry.remember_id(new.case_id)
    return Saved(new.case_id, new.number, outcome(row, new), path)


def export_cases(
    config: Config,
    folder: Path,
    selection: Selection | None = None,
    *,
    demonstration: bool = False,
) -> ExportReport:
    """Write cases as folder/LAYER/ID.yaml, byte for byte as they are; default: all.

    A case's own file in that folder keeps its name. A file that holds another case, or none, is
    left alone and reported. Raises EmptySelectionError where the selection matches nothing.
    """
    chosen = selection or Selection(layers=LAYERS)
    done: dict[bool, list[Path]] = {True: [], False: []}
    invalid: list[InvalidFile] = []
    with opened(config, demonstration=demonstration) as registry:
        with refused_files_first(registry.synced):
            rows = selected(registry.conn, chosen, layers_asked=False, bundled=demonstration)
        for row in rows:
            path = _target(registry, row, folder.absolute())
            try:
                done[_exported(registry, row, path)].append(path)
            except UsageError as error:
                invalid.append(InvalidFile(path=str(path), message=error.message, hint=error.hint))
    return ExportReport(done[True], done[False], invalid)


def _target(registry: Registry, row: CaseRow, folder: Path) -> Path:
    own = registry.path_of(row)
    if own is not None and own.is_relative_to(folder):
        return own
    return folder / row.layer / file_name(row.case_id)


def _exported(registry: Registry, row: CaseRow, path: Path) -> bool:
    """Write one case's file; says whether that changed anything."""
    source = source_of(registry.conn, row.revision).encode()
    before = path.read_bytes() if path.is_file() else None
    if before != source:
        _write(row, path, source, before)
    if registry.folder_of(path):
        with transaction(registry.conn):
            remember_file(registry, path, row)
    return before != source


def _write(row: CaseRow, path: Path, source: bytes, before: bytes | None) -> None:
    if before is None:
        create_file(path, source, durable=False)
        return
    held = read_file(path)
    if not isinstance(held, ReadCase) or held.case.id != row.case_id:
        raise UsageError("holds something else", hint="move it away, or export elsewhere")
    replace_file(path, source, content_hash(before))

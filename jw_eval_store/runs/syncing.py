"""Sync the configured folders of cases into the registry, by content hash.

The file's content becomes current; a case whose file is gone is archived; edits on both sides
since the last sync are a conflict; a bad file is reported and never holds up the others.
"""

from __future__ import annotations

import errno
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.golden.folders import case_files, is_case_file
from jw_eval_store.golden.reading import ReadCase, folder_layer, read_case
from jw_eval_store.runs.scanning import scan
from jw_eval_store.store.cases import CaseRow, archive_case, find_case, put_case
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.synced import (
    SyncedFile,
    case_of_revision,
    cases_of_other_roots,
    displaced_files,
    forget_synced,
    other_files_of,
    put_synced,
    synced_file,
    synced_stats,
)
from jw_eval_store.text.plurals import plural


@dataclass
class SyncReport:
    """What a sync found: refused files, and what people should know."""

    invalid: list[InvalidFile] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    changed: int = 0

    def add(self, other: SyncReport) -> None:
        """Take another folder's report in."""
        self.invalid += other.invalid
        self.notices += other.notices
        self.changed += other.changed


@contextmanager
def refused_files_first(report: SyncReport) -> Iterator[None]:
    """Where nothing is selected and files were refused, say which: they may hold what was meant.

    Raises UsageError for the EmptySelectionError then.
    """
    try:
        yield
    except EmptySelectionError as error:
        if not report.invalid:
            raise
        files = [f"{f.path}:{f.line or 1}: {f.message}" for f in report.invalid]
        more = [f"... and {len(files) - 10} more"] if len(files) > 10 else []
        message = "\n".join([f"{error.message}; refused files:", *files[:10], *more])
        raise UsageError(message, hint=error.hint) from error


def sync_cases(conn: Connection, folders: Iterable[Path], *, bundled: bool = False) -> SyncReport:
    """Bring the registry up to date with the folders; one transaction a folder.

    Raises UsageError for a folder that does not exist: taking it for empty would archive its cases.
    So does one of several that holds nothing at all, as what git has not checked out does.
    """
    report, folders = SyncReport(), list(folders)
    roots = frozenset(folder.as_posix() for folder in folders)
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(
                f"the cases folder {folder} does not exist",
                hint="create it, or mend `cases` in the configuration (jw-eval config show)",
            )
        if len(folders) > 1 and not any(folder.iterdir()):
            raise UsageError(
                f"the cases folder {folder} is empty",
                hint="check it out (git submodule update --init), put a file into it, or take it"
                " out of `cases` in the configuration",
            )
        report.add(_FolderSync(conn, folder.as_posix(), roots, bundled).sync())
    if roots and not bundled:
        report.notices += _from_elsewhere(conn, roots)
    return report


def _from_elsewhere(conn: Connection, roots: Collection[str]) -> Iterator[str]:
    """Cases that are judged though no configured folder holds them: the folders may be misnamed."""
    if found := cases_of_other_roots(conn, roots):
        case, root = found[0]
        yield (
            f"{plural(len(found), 'case')} ({case}{', ...' if len(found) > 1 else ''}) of the"
            f" registry came from {root}, which `cases` does not name, and"
            f" {'is' if len(found) == 1 else 'are'} judged as they were last read there"
            " (jw-eval cases archive takes a case out)"
        )


class _FolderSync:
    """One folder's sync: compares what is there with what was there."""

    def __init__(self, conn: Connection, root: str, roots: Collection[str], bundled: bool) -> None:
        self.conn = conn
        self.root = root
        self.roots = roots
        self.bundled = bundled
        self.report = SyncReport()
        # What was refused is read again each time: what stood against it may be gone. So is what
        # another checkout that shares the database has taken: each run judges its own files.
        self.displaced = displaced_files(conn, root)
        known = synced_stats(conn, root, "case") | dict.fromkeys(self.displaced, (-1, -1))
        self.scan = scan(root, is_case_file, known)

    def sync(self) -> SyncReport:
        if self.scan:
            with transaction(self.conn):
                gone = [synced_file(self.conn, path) for path in self.scan.gone]
                forget_synced(self.conn, self.scan.gone)
                for path in self.scan.changed:  # one by one: a later file may hold the same case
                    if self._has_name(path):
                        put_synced(self.conn, [self._read(path, synced_file(self.conn, path))])
                self._archive([file for file in gone if file is not None])
        self.report.invalid += self._linked()
        self.report.changed = len(self.scan.changed) + len(self.scan.gone)
        return self.report

    def _linked(self) -> Iterator[InvalidFile]:
        """Linked folders with cases that are read by no other way: none of them would be judged."""
        roots = [Path(root).resolve() for root in self.roots]
        for link in self.scan.links:
            target = Path(link).resolve()
            read = any(target.is_relative_to(root) or root.is_relative_to(target) for root in roots)
            if not read and any(case_files(target)):
                yield InvalidFile(
                    path=link.encode(errors="replace").decode(),
                    message="is a link to a folder of cases, and links to folders are not followed",
                    hint="name that folder in `cases` of the configuration, or copy its files here",
                )

    def _has_name(self, path: str) -> bool:
        """Whether the file's name is a text that can be stored; else the file is refused."""
        spelt = path.encode(errors="replace").decode()
        if spelt != path:
            message, hint = "its name is not UTF-8", "rename the file"
            self.report.invalid.append(InvalidFile(path=spelt, message=message, hint=hint))
        return spelt == path

    def _read(self, path: str, before: SyncedFile | None) -> SyncedFile:
        try:
            if Path(path).exists() and not Path(path).is_file():  # a pipe would be waited for
                raise OSError(errno.EINVAL, "it is no file")
            source = Path(path).read_bytes()
        except OSError as error:
            problem = InvalidFile(path=path, message=f"cannot be read: {error.strerror}")
            return self._refused(path, before, "", [problem])
        digest = content_hash(source)
        if before is not None and self._stands(before, digest):
            return self._synced(path, digest, before.revision)
        read = read_case(path, source, folder_layer(Path(path)))
        problems = read if isinstance(read, list) else self._objections(read, before)
        if problems or isinstance(read, list):
            return self._refused(path, before, digest, problems)
        row = put_case(self.conn, read.case, source.decode(), "sync", bundled=self.bundled)
        self._archive_renamed(before, row)
        return self._synced(path, digest, row.revision)

    def _stands(self, before: SyncedFile, digest: str) -> bool:
        """Whether a file's content, as read before, is still what it was and what it became."""
        same = before.content_hash == digest and before.error is None
        return same and before.path not in self.displaced

    def _synced(
        self, path: str, digest: str, revision: int | None, error: str | None = None
    ) -> SyncedFile:
        size, mtime_ns = self.scan.changed[path]
        return SyncedFile(path, self.root, "case", size, mtime_ns, digest, revision, error=error)

    def _refused(
        self, path: str, before: SyncedFile | None, digest: str, problems: list[InvalidFile]
    ) -> SyncedFile:
        self.report.invalid += problems
        error = canonical_json([problem.model_dump() for problem in problems])
        return self._synced(path, digest, before.revision if before else None, error)

    def _objections(self, read: ReadCase, before: SyncedFile | None) -> list[InvalidFile]:
        row = find_case(self.conn, read.case.id)
        if row is None:
            return []
        return self._duplicates(read, row) or self._conflicts(read, row, before)

    def _duplicates(self, read: ReadCase, row: CaseRow) -> list[InvalidFile]:
        others = [p for p in self._others(row, read.path) if Path(p).exists()]
        taken = self.bundled and not row.bundled
        if not others and not taken:
            return []
        where = others[0] if others else "the registry, as a case of your own"
        return [
            InvalidFile(
                path=read.path,
                line=read.line("id"),
                message=f"case id {read.case.id!r} is already in {where}",
                hint="give one of the two another id",
            )
        ]

    def _conflicts(
        self, read: ReadCase, row: CaseRow, before: SyncedFile | None
    ) -> list[InvalidFile]:
        """Both sides edited since the last sync, in different ways."""
        same = row.source_hash == content_hash(read.source)
        taken = read.path in self.displaced
        if before is None or before.revision in (None, row.revision) or same or taken:
            return []
        return [
            InvalidFile(
                path=read.path,
                line=read.line("id"),
                message=f"case {row.case_id} was edited in the file and in the registry",
                hint=f"jw-eval cases diff {row.case_id}; then write one of them over the other"
                f" (jw-eval cases import FILE, or cases export)",
            )
        ]

    def _others(self, row: CaseRow, path: str) -> list[str]:
        return other_files_of(self.conn, row.key, path, self.roots)

    def _archive(self, gone: list[SyncedFile]) -> None:
        for file in gone:
            if file.revision is not None:
                self._archive_case(file.revision, file.path, f"its file {file.path} is gone")

    def _archive_renamed(self, before: SyncedFile | None, row: CaseRow) -> None:
        """A file that now holds another id no longer holds the case it held before."""
        if before is None or before.revision is None:
            return
        if case_of_revision(self.conn, before.revision) != row.case_id:
            reason = f"its file {before.path} now holds {row.case_id}"
            self._archive_case(before.revision, before.path, reason)

    def _archive_case(self, revision: int, path: str, reason: str) -> None:
        row = find_case(self.conn, case_of_revision(self.conn, revision))
        if row and not row.archived and not self._others(row, path):
            archive_case(self.conn, row, reason=reason)
            self.report.notices.append(f"archived {row.case_id}: {reason}")

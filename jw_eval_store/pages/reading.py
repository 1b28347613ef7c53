"""Read a folder of snapshots strictly: what is missing, changed or misnamed is never evidence."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.evidence import Evidence
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.pages.manifest import MANIFEST, PAGES, Manifest, SnapshotEntry, file_name
from jw_eval_store.pages.reduce import ReducedPage, decode, reduce_page
from jw_eval_store.pages.strict_yaml import EntryError, Located, load_strict
from jw_eval_store.text.urls import parse_url


@dataclass(frozen=True)
class StoredSnapshot:
    """A snapshot whose file and entry agree. Its page is reduced when first asked for."""

    entry: SnapshotEntry
    html: str

    @cached_property
    def page(self) -> ReducedPage:
        """The page reduced, by the reducer of today."""
        return reduce_page(self.html, self.entry.url)

    @property
    def evidence(self) -> Evidence:
        """The page as evidence, with the origin that the manifest states."""
        return self.page.evidence(self.entry.origin)


def read_manifest(folder: Path) -> Manifest:
    """The manifest as it stands. Raises UsageError, naming file and line, for what is not valid."""
    entries, invalid = _entries(folder)
    if invalid:
        first = invalid[0]
        raise UsageError(f"{first.path}:{first.line or 1}: {first.message}", hint=first.hint)
    return Manifest(version=1, snapshots=tuple(entry for entry, _ in entries))


def load_snapshots(folder: Path) -> tuple[tuple[StoredSnapshot, ...], tuple[InvalidFile, ...]]:
    """The sound snapshots of a folder, and what is wrong with the others.

    A folder without manifest.yaml holds no snapshot; `verify_folder` finds files without entry.
    """
    if not (folder / MANIFEST).exists():
        return (), ()
    entries, invalid = _entries(folder)
    found: list[StoredSnapshot] = []
    seen: set[str] = set()
    for entry, line in entries:
        problem = _wrong_names(entry, seen) or _wrong_file(folder, entry)
        seen.add(entry.fetch_key)
        if problem:
            invalid.append(
                _invalid(folder, line, f"snapshot of {entry.url}: {problem[0]}", problem[1])
            )
        else:
            html = decode((folder / entry.file).read_bytes())
            found.append(StoredSnapshot(entry, html))
    return tuple(found), tuple(invalid)


def verify_folder(folder: Path) -> tuple[InvalidFile, ...]:
    """All that is wrong with a folder: bad entries; missing, changed, misnamed, unlisted files."""
    _, invalid = load_snapshots(folder)
    entries = _entries(folder)[0] if (folder / MANIFEST).exists() else []
    unlisted = set(folder.glob(f"{PAGES}/*")) - {folder / entry.file for entry, _ in entries}
    return invalid + tuple(
        InvalidFile(path=str(path), message=f"is not in {MANIFEST}", hint="delete it, or list it")
        for path in sorted(unlisted)
    )


def _entries(folder: Path) -> tuple[list[tuple[SnapshotEntry, int]], list[InvalidFile]]:
    """The entries that have their shape, each with its line, and the others' faults."""
    try:
        top = load_strict((folder / MANIFEST).read_bytes())
        listed = _listed(top)
    except EntryError as error:
        return [], [_invalid(folder, error.line, error.message, error.hint)]
    found: list[tuple[SnapshotEntry, int]] = []
    invalid: list[InvalidFile] = []
    for item in listed:
        try:
            found.append((SnapshotEntry.model_validate(item.plain()), item.line))
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            where = ".".join(map(str, fault["loc"]))
            invalid.append(
                _invalid(
                    folder,
                    item.line_of(where),
                    f"entry {item.name('url')}: {where}: {fault['msg']}",
                    None,
                )
            )
    return found, invalid


def _listed(top: Located) -> list[Located]:
    """The list of snapshots of a manifest of our version."""
    keys = top.mapping("manifest.yaml")
    unknown = sorted(set(keys) - {"version", "snapshots"})
    if unknown:
        raise EntryError(
            f"unknown key {unknown[0]!r}", keys[unknown[0]].line, "known: version, snapshots"
        )
    version = keys["version"].value if "version" in keys else None
    if version != "1":
        raise EntryError(
            f"its version is {version}, this tool reads 1",
            top.line,
            "use a tool of the same version",
        )
    return keys["snapshots"].sequence("snapshots") if "snapshots" in keys else []


def _wrong_names(entry: SnapshotEntry, seen: set[str]) -> tuple[str, str] | None:
    """A fault of the entry's own names, with the next step."""
    key = parse_url(entry.url).fetch_key
    if entry.fetch_key != key:
        return f"fetch_key is {entry.fetch_key}", f"write {key}"
    if entry.fetch_key in seen:
        return "the page has two entries", "keep one of them"
    if entry.file != file_name(key):
        return f"file is {entry.file}", f"name it {file_name(key)}"
    return None


def _wrong_file(folder: Path, entry: SnapshotEntry) -> tuple[str, str] | None:
    """A fault of the file, with the next step."""
    try:
        content = (folder / entry.file).read_bytes()
    except FileNotFoundError:
        return f"{entry.file} is missing", "restore it, or build the snapshot again"
    except OSError as error:
        return f"{entry.file} can't be read: {error.strerror}", "check the file's permissions"
    digest = hashlib.sha256(content).hexdigest()
    if digest != entry.html_sha256:
        return (
            f"{entry.file} was changed: its sha256 is {digest}",
            "restore it, or write this sha256 into the manifest if the change is meant",
        )
    return None


def _invalid(folder: Path, line: int | None, message: str, hint: str | None) -> InvalidFile:
    return InvalidFile(path=str(folder / MANIFEST), line=line, message=message, hint=hint)

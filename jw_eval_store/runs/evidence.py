"""Sync a folder of snapshots into the store: its sound entries become the pages' evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.pages.manifest import MANIFEST, PAGES
from jw_eval_store.pages.reading import StoredSnapshot, load_snapshots
from jw_eval_store.pages.reduce import REDUCER_VERSION
from jw_eval_store.runs.scanning import Stat, scan
from jw_eval_store.runs.syncing import SyncReport
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.evidence import (
    NewSnapshot,
    displaced_snapshots,
    find_snapshot,
    put_snapshot,
    snapshots_of_other_roots,
    use_snapshot,
    withdraw_snapshot,
)
from jw_eval_store.store.rows import stored_json
from jw_eval_store.store.synced import SyncedFile, forget_synced, put_synced, synced_files
from jw_eval_store.text.plurals import plural


def sync_snapshots(conn: Connection, folder: Path) -> SyncReport:
    """Bring evidence up to date with a folder; an unchanged folder is not read again.

    A page whose file is gone, changed without its entry, or no longer listed has no evidence from
    then on: cases that cite it are errors, on every machine alike. Nothing is deleted.
    """
    root = folder.as_posix()
    known = synced_files(conn, root, "evidence")
    marker = _marker(folder)
    stats = {path: (file.size, file.mtime_ns) for path, file in known.items()}
    unchanged = not scan(root, _is_evidence, stats, linked=PAGES)
    if unchanged and _is_read(known, f"{root}/{MANIFEST}", marker):
        _take_back(conn, root)
        return SyncReport(invalid=_stored_errors(known))
    snapshots, invalid = load_snapshots(folder)
    with transaction(conn):
        kept = {f"{root}/{s.entry.file}": _put(conn, s) for s in snapshots}
        gone = [f for path, f in known.items() if f.snapshot and path not in kept]
        notices = [n for f in gone if (n := _withdraw(conn, f))]
        forget_synced(conn, known)
        found = scan(root, _is_evidence, {}, linked=PAGES).changed
        put_synced(conn, _rows(root, _unseen(kept) | found, kept, marker, invalid))
    return SyncReport(invalid=list(invalid), notices=notices, changed=1)


def withdraw_elsewhere(
    conn: Connection, folders: Sequence[Path], revisions: Iterable[int] = ()
) -> SyncReport:
    """Leave pages that none of the folders holds without evidence: it came from a folder that is
    configured no longer, or from another machine's store, and need not be there on others.

    Of the pages that one's own cases cite, today or in one of these revisions.
    """
    found = snapshots_of_other_roots(conn, [f.as_posix() for f in folders], revisions)
    if not found:
        return SyncReport()
    with transaction(conn):
        pages = [key for one in found.values() if (key := withdraw_snapshot(conn, one))]
    where = " and ".join(str(folder) for folder in folders)
    why = f"{where} does not hold" if folders else "no snapshots folder is configured that holds"
    many = len(pages) > 1
    notice = (
        f"evidence of {plural(len(pages), 'page')} ({pages[0]}{', ...' if many else ''}) was"
        f" withdrawn: {why} {'them' if many else 'it'} (mend `snapshots` in the configuration, or"
        " jw-eval snapshots build --missing)"
    )
    return SyncReport(notices=[notice])


def _take_back(conn: Connection, root: str) -> None:
    """Use this folder's snapshots again where another folder's have taken their pages."""
    displaced = displaced_snapshots(conn, root)
    if displaced:
        with transaction(conn):
            for snapshot in displaced:
                use_snapshot(conn, snapshot)


def _is_evidence(name: str) -> bool:
    return name.endswith(".html") or name == MANIFEST


def _marker(folder: Path) -> str:
    """Content address of the manifest and of the rules by which its pages are read."""
    path = folder / MANIFEST
    manifest = path.read_bytes() if path.exists() else b""
    return content_hash(manifest + REDUCER_VERSION.encode())


def _is_read(known: Mapping[str, SyncedFile], manifest: str, marker: str) -> bool:
    """Whether this very manifest was read by the rules of today."""
    return manifest not in known or known[manifest].content_hash == marker


def _stored_errors(known: Mapping[str, SyncedFile]) -> list[InvalidFile]:
    errors = (stored_json(f.error) for f in known.values() if f.error)
    return [InvalidFile(**item) for items in errors for item in items]


def _unseen(kept: Mapping[str, int]) -> dict[str, Stat]:
    """What was read, as files that look like none: they are looked for again the next time."""
    return dict.fromkeys(kept, (0, -1))


def _put(conn: Connection, snapshot: StoredSnapshot) -> int:
    entry = snapshot.entry
    captured = entry.captured_at.isoformat()
    key = find_snapshot(
        conn, entry.fetch_key, snapshot.html, entry.origin, captured, REDUCER_VERSION
    )
    if key is not None:
        use_snapshot(conn, key)
        return key
    new = NewSnapshot(
        evidence=snapshot.evidence,
        url=entry.url,
        html=snapshot.html,
        captured_at=captured,
        reducer=REDUCER_VERSION,
        scope=entry.scope,
        final_url=entry.final_url,
        status=entry.status,
        headers=entry.headers,
        bytes_hash=entry.bytes_hash,
        text_hash=entry.text_hash,
        structure_hash=entry.structure_hash,
        versions=entry.versions,
    )
    return put_snapshot(conn, new)


def _withdraw(conn: Connection, file: SyncedFile) -> str:
    key = withdraw_snapshot(conn, file.snapshot or 0)
    return f"evidence of {key} was withdrawn: {file.path} is gone or not valid" if key else ""


def _rows(
    root: str,
    found: Mapping[str, Stat],
    kept: Mapping[str, int],
    marker: str,
    invalid: tuple[InvalidFile, ...],
) -> list[SyncedFile]:
    manifest = f"{root}/{MANIFEST}"
    errors = canonical_json([f.model_dump() for f in invalid]) if invalid else None
    return [
        SyncedFile(
            path,
            root,
            "evidence",
            size,
            mtime_ns,
            marker if path == manifest else "",
            snapshot=kept.get(path),
            error=errors if path == manifest else None,
        )
        for path, (size, mtime_ns) in found.items()
    ]

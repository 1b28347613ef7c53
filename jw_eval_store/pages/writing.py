"""Write a folder of snapshots: the files first, then the manifest, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jw_eval_store.pages.manifest import MANIFEST, SnapshotEntry, file_name, html_sha256
from jw_eval_store.pages.reading import read_manifest
from jw_eval_store.text.urls import parse_url


def save_snapshot(folder: Path, entry: SnapshotEntry, html: str) -> SnapshotEntry:
    """Write one snapshot; see `save_snapshots`."""
    return save_snapshots(folder, [(entry, html)])[0]


def save_snapshots(
    folder: Path, snapshots: Iterable[tuple[SnapshotEntry, str]]
) -> list[SnapshotEntry]:
    """Write files and entries, in place of earlier ones of the same pages; the manifest last.

    `fetch_key`, `file` and `html_sha256` are set from `entry.url` and the HTML; the entries as
    written are returned. Raises UsageError if the manifest that is there can't be read.
    """
    kept = read_manifest(folder).snapshots if (folder / MANIFEST).exists() else ()
    written = []
    for entry, html in snapshots:
        completed = _completed(entry, html)
        _replace(folder / completed.file, html)
        written.append(completed)
    keys = {entry.fetch_key for entry in written}
    write_manifest(folder, [*(old for old in kept if old.fetch_key not in keys), *written])
    return written


def _completed(entry: SnapshotEntry, html: str) -> SnapshotEntry:
    key = parse_url(entry.url).fetch_key
    return entry.model_copy(
        update={"fetch_key": key, "file": file_name(key), "html_sha256": html_sha256(html)}
    )


def write_manifest(folder: Path, entries: Iterable[SnapshotEntry]) -> None:
    """Write manifest.yaml whole, sorted by URL, the same bytes for the same entries."""
    import yaml

    listed = [
        entry.model_dump(mode="json", exclude_defaults=True)
        for entry in sorted(entries, key=lambda entry: entry.url)
    ]
    text = yaml.dump(
        {"version": 1, "snapshots": listed},
        Dumper=yaml.CSafeDumper,  # several times as quick, which counts with thousands of pages
        sort_keys=False,
        allow_unicode=True,
        width=100,
    )
    _replace(folder / MANIFEST, text)


def _replace(path: Path, text: str) -> None:
    """Write beside, then rename: a reader sees the old file or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(text.encode())
    beside.replace(path)

"""Look at the folder of snapshots that a project cites; only verifying asks the database, too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.pages.manifest import SnapshotEntry
from jw_eval_store.pages.reading import (
    StoredSnapshot,
    load_snapshots,
    read_manifest,
    verify_folder,
)
from jw_eval_store.resources import bundled
from jw_eval_store.store.connect import Connection, reading
from jw_eval_store.store.snapshots import current_snapshot, pages_with_evidence
from jw_eval_store.text.nearest import did_you_mean
from jw_eval_store.text.urls import parse_url


def snapshots_folder(config: Config, *, demonstration: bool) -> Path:
    """The folder meant. Raises UsageError where none is configured, or it is not there."""
    if demonstration:
        return bundled("snapshots")
    if config.settings.snapshots is None:
        raise UsageError(
            "no folder of snapshots is configured",
            hint="set `snapshots` in the configuration (jw-eval init), or use --bundled",
        )
    folder = Path(config.settings.snapshots)
    if not folder.is_dir():
        raise UsageError(
            f"the snapshots folder {folder} does not exist",
            hint="create it, or mend `snapshots` in the configuration (jw-eval config show)",
        )
    return folder


def list_snapshots(config: Config, *, demonstration: bool) -> tuple[SnapshotEntry, ...]:
    """What the manifest lists, by URL. Raises UsageError for a manifest that is not valid."""
    folder = snapshots_folder(config, demonstration=demonstration)
    return read_manifest(folder).snapshots if any(folder.glob("manifest.yaml")) else ()


def show_snapshot(config: Config, url: str, *, demonstration: bool) -> StoredSnapshot:
    """The snapshot of a page, by its URL or fetch key.

    Raises UsageError for a page whose snapshot is not sound, EmptySelectionError for one without,
    with the nearest page that has one.
    """
    folder = snapshots_folder(config, demonstration=demonstration)
    found, invalid = load_snapshots(folder)
    key = parse_url(url).fetch_key
    by_key = {snapshot.entry.fetch_key: snapshot for snapshot in found}
    if key in by_key:
        return by_key[key]
    faults = [fault for fault in invalid if key in fault.message]
    if faults:
        raise UsageError(f"{faults[0].path}: {faults[0].message}", hint=faults[0].hint)
    hint = did_you_mean(key, by_key) or "jw-eval snapshots list"
    raise EmptySelectionError(f"there is no snapshot of {key}", hint=hint)


def verify_snapshots(config: Config, *, demonstration: bool) -> tuple[int, tuple[InvalidFile, ...]]:
    """How many entries there are, and all that is wrong: in the folder, and between it and the
    database, if there is one already.

    Raises EmptySelectionError for a folder without any snapshot, which must not look sound.
    """
    folder = snapshots_folder(config, demonstration=demonstration)
    faults = verify_folder(folder)
    found = load_snapshots(folder)[0]
    if not found and not faults:
        raise EmptySelectionError(f"{folder} holds no snapshot", hint="jw-eval snapshots --help")
    if config.database.exists() and not demonstration:
        faults += tuple(_database_faults(config, folder, found))
    return len(found), faults


def _database_faults(
    config: Config, folder: Path, found: tuple[StoredSnapshot, ...]
) -> Iterator[InvalidFile]:
    """Where the store's current evidence is not what the files say."""
    hint = "jw-eval run (or snapshots build) takes the files in"
    listed = {snapshot.entry.fetch_key for snapshot in found}
    with reading(config.database) as conn:
        for snapshot in found:
            if not _is_current(conn, snapshot):
                path, key = str(folder / snapshot.entry.file), snapshot.entry.fetch_key
                message = f"the database does not have this as the current evidence of {key}"
                yield InvalidFile(path=path, message=message, hint=hint)
        for key, origin in pages_with_evidence(conn).items():
            if key not in listed and origin != "authored":
                message = f"the database has {origin} evidence of {key}, and the folder has none"
                yield InvalidFile(path=str(folder), message=message, hint=hint)


def _is_current(conn: Connection, snapshot: StoredSnapshot) -> bool:
    row = current_snapshot(conn, snapshot.entry.fetch_key)
    return (
        row is not None
        and row.html == snapshot.html
        and row.evidence.origin == snapshot.entry.origin
        and row.evidence.passages == snapshot.evidence.passages
    )

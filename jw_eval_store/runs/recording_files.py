"""Recordings as files, `AGENT/CASE.har`: in the configured folder, or in a folder or zip given to
a run, for CI that starts empty.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from jw_eval_store.agents.har import from_har, har_moment, to_har
from jw_eval_store.config import Config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.domain.recordings import Recording
from jw_eval_store.runs.scanning import scan
from jw_eval_store.store.cases import known_ids
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.recordings import (
    list_recordings,
    put_recording,
    recording_hash,
    stop_replaying,
)
from jw_eval_store.store.synced import SyncedFile, forget_synced, put_synced, synced_files

Owner = tuple[str, str]
"""Case id and name of the agent."""


def write_recording(config: Config, case_id: str, agent: str, recording: Recording) -> Path:
    """Write one recording to the configured folder; one of today that is the same keeps its file.

    An older one that is the same is written with the new date: it was found unchanged.
    """
    path = Path(config.settings.recordings or "") / agent / f"{case_id}.har"
    if path.exists():
        text, today = _text(path), datetime.now(UTC).date().isoformat()
        before = from_har(text, str(path), config.settings.secrets)
        if before.content_hash == recording.content_hash and (
            (har_moment(text) or today)[:10] == today
        ):
            return path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_har(recording), encoding="utf-8")
    return path


def sync_recordings(conn: Connection, config: Config) -> int:
    """Make the folder's recordings the current ones; how many were new.

    A file whose size and time are unchanged, and whose recording is still the current one, is not
    read again. A recording whose file is gone is replayed no longer. Files of cases that are not
    stored are left alone; without recordings, agents that need them say so. Raises UsageError for a
    file that is no HAR.
    """
    if config.settings.recordings is None or not Path(config.settings.recordings).is_dir():
        return 0
    root = Path(config.settings.recordings).as_posix()
    known = synced_files(conn, root, "recording")
    found = scan(root, lambda name: name.endswith(".har"), {})
    cases, current = _stored(conn)
    new = 0
    for path, (size, mtime_ns) in found.changed.items():
        owner, before = _owner(path), known.get(path)
        if Path(path).parents[1].as_posix() != root or owner[0] not in cases:
            continue
        same = before is not None and (before.size, before.mtime_ns) == (size, mtime_ns)
        if before and same and before.content_hash == _mark(current.get(owner), config):
            continue
        stored = _put(conn, config, owner, _text(Path(path)), path)
        mark = _mark(stored, config)
        with transaction(conn):
            put_synced(conn, [SyncedFile(path, root, "recording", size, mtime_ns, mark)])
        new += stored != current.get(owner)
    if gone := known.keys() - found.changed.keys():
        with transaction(conn):
            for path in gone:
                owner = _owner(path)
                if known[path].content_hash == _mark(current.get(owner), config):
                    stop_replaying(conn, *owner)
            forget_synced(conn, gone)
    return new


def take_recordings(conn: Connection, config: Config, source: Path) -> int:
    """Make the recordings of a folder, a zip or one `AGENT/CASE.har` the current ones; how many.

    Raises UsageError for a file that can't be read, and where no recording is of a stored case.
    """
    cases, _ = _stored(conn)
    taken = 0
    for path, text in har_files(source):
        owner = _owner(path)
        if owner[0] in cases:
            _put(conn, config, owner, text, path)
            taken += 1
    if not taken:
        raise UsageError(
            f"{source} holds no recording of a case that is stored",
            hint="its files are AGENT/CASE.har: jw-eval agents recordings export FILE.zip",
        )
    return taken


def har_files(source: Path) -> Iterator[tuple[str, str]]:
    """Path and text of each HAR in a folder or zip, or of the one file. Raises UsageError."""
    if source.suffix == ".zip":
        yield from _zipped(source)
        return
    for path in sorted(source.glob("*/*.har")) if source.is_dir() else [source.absolute()]:
        yield path.as_posix(), _text(path)


def recording_moments(source: Path) -> Mapping[Owner, str]:
    """When each recording in a folder or zip was made, ISO 8601; those that say nothing left out.

    Raises UsageError for a file that is no HAR.
    """
    found = ((_owner(path), har_moment(text, path)) for path, text in har_files(source))
    return {owner: moment for owner, moment in found if moment}


def _zipped(source: Path) -> Iterator[tuple[str, str]]:
    try:
        with zipfile.ZipFile(source) as file:
            for name in sorted(file.namelist()):
                if name.endswith(".har"):
                    yield f"{source.as_posix()}/{name}", file.read(name).decode()
    except (OSError, zipfile.BadZipFile, UnicodeDecodeError) as exc:
        raise UsageError(f"{source} cannot be read: {exc}", hint="fetch it again") from exc


def _owner(path: str) -> Owner:
    parts = PurePosixPath(path)
    return parts.stem, parts.parent.name


def _stored(conn: Connection) -> tuple[set[str], dict[Owner, str]]:
    """Ids of the cases, and addresses of the current recordings."""
    current = {(row.case_id, row.agent): row.recording_hash for row in list_recordings(conn)}
    return set(known_ids(conn)), current


def _mark(stored: str | None, config: Config) -> str:
    """What a file became, and the list of secrets by which it was read."""
    return json_hash([stored, list(config.settings.secrets)])


def _put(conn: Connection, config: Config, owner: Owner, text: str, path: str) -> str:
    recording = from_har(text, path, config.settings.secrets)
    with transaction(conn):
        put_recording(conn, *owner, recording, har_moment(text, path))
    return recording_hash(*owner, recording)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(f"{path} cannot be read: {exc}", hint="record it again") from exc

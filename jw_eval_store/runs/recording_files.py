"""Recordings as files in the configured folder: `AGENT/CASE.har`, for CI that starts empty."""

from __future__ import annotations

from pathlib import Path

from jw_eval_store.agents.har import from_har, to_har
from jw_eval_store.config import Config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.recordings import Recording
from jw_eval_store.store.cases import known_ids
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.recordings import list_recordings, put_recording, recording_hash


def write_recording(config: Config, case_id: str, agent: str, recording: Recording) -> Path:
    """Write one recording to the configured folder; an unchanged one keeps its file."""
    path = Path(config.settings.recordings or "") / agent / f"{case_id}.har"
    if path.exists() and _read(path, config).content_hash == recording.content_hash:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_har(recording), encoding="utf-8")
    return path


def sync_recordings(conn: Connection, config: Config) -> int:
    """Make the folder's recordings the current ones; how many were new.

    Files of cases that are not stored are left alone; without recordings, agents that need them
    say so. Raises UsageError for a file that is no HAR.
    """
    folder = config.settings.recordings
    if folder is None:
        return 0
    paths = sorted(Path(folder).glob("*/*.har"))
    cases = set(known_ids(conn)) if paths else set()
    current = {(row.case_id, row.agent): row.recording_hash for row in list_recordings(conn)}
    new = 0
    for path in paths:
        case_id, agent = path.stem, path.parent.name
        if case_id not in cases:
            continue
        recording = _read(path, config)
        if recording_hash(case_id, agent, recording) == current.get((case_id, agent)):
            continue
        with transaction(conn):
            put_recording(conn, case_id, agent, recording)
        new += 1
    return new


def _read(path: Path, config: Config) -> Recording:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(f"{path} cannot be read: {exc}", hint="record it again") from exc
    return from_har(text, str(path), config.settings.secrets)

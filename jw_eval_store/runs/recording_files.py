"""Recordings as files in the configured folder: `AGENT/CASE.har`, for CI that starts empty."""

from __future__ import annotations

from pathlib import Path

from jw_eval_store.agents.har import from_har, to_har
from jw_eval_store.config import Config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.recordings import Recording
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.recordings import current_recordings, load_recording, put_recording


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
    keys = dict(conn.execute("SELECT case_id, id FROM golden_case").fetchall())
    current = current_recordings(conn)
    new = 0
    for path in sorted(Path(folder).glob("*/*.har")):
        case_id, agent = path.stem, path.parent.name
        if case_id not in keys:
            continue
        recording, stored = _read(path, config), current.get((keys[case_id], agent))
        if stored and load_recording(conn, stored).content_hash == recording.content_hash:
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

"""What a command works on: the demonstration's folders, or the configured ones, synced first."""

from __future__ import annotations

from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.resources import bundled
from jw_eval_store.runs.evidence import sync_snapshots, withdraw_elsewhere
from jw_eval_store.runs.recording_files import sync_recordings
from jw_eval_store.runs.syncing import SyncReport, sync_cases
from jw_eval_store.store.connect import Connection


def sync_workspace(conn: Connection, config: Config, *, demonstration: bool) -> SyncReport:
    """Bring registry and evidence up to date. Raises UsageError for a folder that is gone."""
    report, pages = SyncReport(), list[Path]()
    if demonstration or config.settings.samples:
        report.add(sync_cases(conn, [bundled("seeds")], bundled=True))
        pages.append(bundled("snapshots"))
    if not demonstration:
        report.add(sync_cases(conn, [Path(folder) for folder in config.settings.cases]))
        if config.settings.snapshots:
            pages.append(_folder(config.settings.snapshots))
    for folder in pages:
        report.add(sync_snapshots(conn, folder))
    if not demonstration:
        report.add(withdraw_elsewhere(conn, pages))
        sync_recordings(conn, config)
        report.notices += _no_recordings(config)
    return report


def _no_recordings(config: Config) -> list[str]:
    """A folder that the first recording makes may be missing, but not unsaid."""
    folder = config.settings.recordings
    if folder is None or Path(folder).is_dir():
        return []
    return [f"the recordings folder {folder} does not exist (jw-eval agents record makes it)"]


def _folder(name: str) -> Path:
    if not Path(name).is_dir():
        raise UsageError(
            f"the snapshots folder {name} does not exist",
            hint="create it, or mend `snapshots` in the configuration (jw-eval config show)",
        )
    return Path(name)

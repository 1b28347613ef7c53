"""What a command works on: the demonstration's folders, or the configured ones, synced first."""

from __future__ import annotations

from collections.abc import Iterable
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
    report = SyncReport()
    if demonstration or config.settings.samples:
        report.add(sync_cases(conn, [bundled("seeds")], bundled=True))
    if not demonstration:
        report.add(sync_cases(conn, [Path(folder) for folder in config.settings.cases]))
    for folder in evidence_folders(config, demonstration=demonstration):
        report.add(sync_snapshots(conn, folder))
    if not demonstration:
        sync_recordings(conn, config)
        report.notices += _no_recordings(config)
    return report


def sync_for_verdicts(conn: Connection, config: Config, *, demonstration: bool) -> SyncReport:
    """Bring registry and evidence up to date, and leave no evidence that the folders don't hold."""
    report = sync_workspace(conn, config, demonstration=demonstration)
    report.add(withdraw_unheld(conn, config, demonstration=demonstration))
    return report


def sync_evidence(
    conn: Connection, config: Config, revisions: Iterable[int], *, demonstration: bool
) -> SyncReport:
    """Bring the evidence of these revisions up to date, for verdicts; cases stay as they are."""
    report = SyncReport()
    for folder in evidence_folders(config, demonstration=demonstration):
        report.add(sync_snapshots(conn, folder))
    report.add(withdraw_unheld(conn, config, revisions, demonstration=demonstration))
    return report


def withdraw_unheld(
    conn: Connection, config: Config, revisions: Iterable[int] = (), *, demonstration: bool
) -> SyncReport:
    """Leave no evidence that the folders don't hold, just before it would be judged by.

    Whoever only looks must not do so, as others judge by the same database; nor does a
    configuration that names no folder of one's own, so that nothing is known of what they hold.
    """
    settings = config.settings
    if demonstration or not (settings.cases or settings.snapshots):
        return SyncReport()
    folders = evidence_folders(config, demonstration=False)
    return withdraw_elsewhere(conn, folders, revisions)


def evidence_folders(config: Config, *, demonstration: bool) -> list[Path]:
    """Where evidence comes from. Raises UsageError for a folder that is gone."""
    settings = config.settings
    folders = [bundled("snapshots")] if demonstration or settings.samples else []
    if settings.snapshots and not demonstration:
        folders.append(_folder(settings.snapshots))
    return folders


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

"""Recordings from private storage, and a folder of them that is not read again for nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.config.database import Located
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.recordings import Recording
from jw_eval_store.runs import recording_files
from jw_eval_store.runs.recording_files import sync_recordings
from jw_eval_store.runs.recordings import export_recordings, verify_recordings
from jw_eval_store.runs.workspace import sync_workspace
from jw_eval_store.store.connect import transaction, writing
from jw_eval_store.store.recordings import current_recordings, put_recording
from tests.foreign.conftest import Foreign

AGENTS = ("meeting_helper", "verse_explainer")


@pytest.fixture(scope="module")
def archive(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All recordings in one file, as they lie in private storage."""
    path = tmp_path_factory.mktemp("private") / "recordings.zip"
    database = Located(recorded / ".jw-eval" / "results.db", recorded)
    assert export_recordings(database, path) == 5
    again = path.with_name("again.zip")
    export_recordings(database, again)
    assert again.read_bytes() == path.read_bytes()
    return path


@pytest.fixture
def private(foreign: Foreign) -> Foreign:
    """A checkout in which no recording is committed."""
    shutil.rmtree(foreign.root / "recordings")
    return foreign


def test_a_run_replays_from_a_zip_with_an_empty_database(private: Foreign, archive: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jw_eval_cli", "run", "--recordings", str(archive)],
        cwd=private.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (private.root / "recordings").exists()


@pytest.mark.long
def test_a_run_replays_from_one_file_and_from_a_folder(
    private: Foreign, recorded: Path, tmp_path: Path
) -> None:
    one = recorded / "recordings" / "meeting_helper" / "meeting_helper_0.har"
    report = private.run("meeting_helper", recordings=one)
    assert report.gate.exit_code == 0
    shutil.copytree(recorded / "recordings", tmp_path / "folder")
    assert private.run(*AGENTS, recordings=tmp_path / "folder").gate.exit_code == 0


def test_a_file_that_holds_nothing_of_use_is_refused(private: Foreign, tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK no")
    with pytest.raises(UsageError, match=r"broken\.zip cannot be read"):
        private.run("meeting_helper", recordings=tmp_path / "broken.zip")
    empty = tmp_path / "meeting_helper" / "unknown.har"
    empty.parent.mkdir()
    empty.write_text('{"log": {"entries": []}}')
    with pytest.raises(UsageError, match="no recording of a case that is stored"):
        private.run("meeting_helper", recordings=empty)


def test_unchanged_files_are_not_read_again(
    foreign: Foreign, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    text = recording_files._text

    def heard(path: Path) -> str:
        read.append(path.name)
        return text(path)

    monkeypatch.setattr(recording_files, "_text", heard)
    config = load_config(foreign.root)
    with writing(config.database) as conn:
        sync_workspace(conn, config, demonstration=False)
        assert len(read) == 5
        assert sync_recordings(conn, config) == 0
        assert len(read) == 5
        path = foreign.root / "recordings" / "meeting_helper" / "meeting_helper_0.har"
        os.utime(path, ns=(1, 1))
        assert sync_recordings(conn, config) == 0
        assert read[5:] == [path.name]
        conn.execute("DELETE FROM current_recording WHERE agent = 'meeting_helper'")
        assert sync_recordings(conn, config) == 1
        path.unlink()
        assert sync_recordings(conn, config) == 0
        (left,) = conn.execute("SELECT count(*) FROM synced_file WHERE kind = 'recording'")
        assert left[0] == 4
        secret = config.settings.model_copy(update={"secrets": ("another",)})
        changed = type(config)(**{**vars(config), "settings": secret})
        read.clear()
        sync_recordings(conn, changed)
        assert len(read) == 4


def test_a_recording_whose_file_is_gone_is_replayed_no_longer(foreign: Foreign) -> None:
    path = foreign.root / "recordings" / "meeting_helper" / "meeting_helper_0.har"
    config, text = load_config(foreign.root), path.read_text()
    with writing(config.database) as conn:
        sync_workspace(conn, config, demonstration=False)
        replayed = current_recordings(conn)
        path.unlink()
        sync_recordings(conn, config)
        assert set(current_recordings(conn)) < set(replayed)
        (stored,) = conn.execute("SELECT count(*) FROM recording").fetchone()
        assert stored == len(replayed)
        path.write_text(text)
        sync_recordings(conn, config)
        assert current_recordings(conn) == replayed


def test_a_recording_from_elsewhere_outlives_the_file_that_it_replaced(foreign: Foreign) -> None:
    path = foreign.root / "recordings" / "meeting_helper" / "meeting_helper_0.har"
    config = load_config(foreign.root)
    with writing(config.database) as conn:
        sync_workspace(conn, config, demonstration=False)
        with transaction(conn):
            put_recording(conn, "meeting_helper_0", "meeting_helper", Recording(()))
        replayed = current_recordings(conn)
        path.unlink()
        sync_recordings(conn, config)
        assert current_recordings(conn) == replayed


def test_age_comes_from_the_file_and_not_from_the_sync(foreign: Foreign) -> None:
    path = foreign.root / "recordings" / "meeting_helper" / "meeting_helper_0.har"
    har = json.loads(path.read_text())
    for entry in har["log"]["entries"]:
        entry["startedDateTime"] = "2020-01-02T03:04:05+01:00"
    path.write_text(json.dumps(har))
    foreign.run("meeting_helper")
    database = Located(foreign.root / ".jw-eval" / "results.db", foreign.root)
    (old,) = verify_recordings(database, max_age=30).old
    assert (old.row.case_id, old.row.recorded_at) == (
        "meeting_helper_0",
        "2020-01-02T02:04:05.000Z",
    )

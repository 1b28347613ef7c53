"""Making and upgrading the file: backups, races, kills and failures."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jw_eval_store import resources
from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.store import backup, connect, draft, files, upgrade, views
from jw_eval_store.store.revision import NEWEST, REVISIONS

OPEN = """
import sys
from pathlib import Path
from jw_eval_store.store import connect
sys.stdin.readline()
with connect.writing(Path(sys.argv[1])) as connection:
    connection.execute("SELECT * FROM v_result LIMIT 0")
"""

ADDS_A_COLUMN = """
from alembic import op
import sqlalchemy as sa
revision = "9998"
down_revision = "{down}"
def upgrade():
    with op.batch_alter_table("run") as batch:
        batch.add_column(sa.Column("weather", sa.Text(), nullable=False, server_default="fine"))
def downgrade():
    with op.batch_alter_table("run") as batch:
        batch.drop_column("weather")
"""

FAILS_HALFWAY = """
from alembic import op
revision = "9999"
down_revision = "9998"
def upgrade():
    op.execute("CREATE TABLE half_made (id INTEGER)")
    op.execute("INSERT INTO nowhere VALUES (1)")
def downgrade():
    pass
"""


def revisions_are(monkeypatch: pytest.MonkeyPatch, folder: Path, *added: str) -> None:
    """A later version of the tool, which knows more migrations."""
    known = (*REVISIONS, *added)
    monkeypatch.setattr(resources, "bundled", lambda name: folder)
    for module in (files, upgrade):
        monkeypatch.setattr(module, "REVISIONS", known)
    for module in (files, connect, upgrade):
        monkeypatch.setattr(module, "NEWEST", known[-1])


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The migrations of a later version."""
    folder = tmp_path / "migrations"
    shutil.copytree(resources.bundled("migrations"), folder)
    (folder / "versions" / "9998_weather.py").write_text(ADDS_A_COLUMN.format(down=NEWEST))
    return folder


def backups_of(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.backup-*"))


def open_at_once(path: Path, count: int) -> list[subprocess.CompletedProcess[str]]:
    """Open the file for writing in several processes at the same moment."""
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", OPEN, str(path)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    time.sleep(0.5)
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    done = []
    for process in started:
        _, stderr = process.communicate(timeout=60)
        done.append(subprocess.CompletedProcess([], process.returncode, "", stderr))
    return done


def test_a_new_file_comes_with_its_folders_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "results [1].db"
    with connect.writing(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert connect.revision_of(path) == NEWEST


def test_an_upgrade_keeps_every_row_and_a_backup(
    db: Path, later: Path, fill: Callable[[Path], dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = fill(db)
    revisions_are(monkeypatch, later, "9998")
    with connect.writing(db) as connection:
        assert connection.execute("SELECT weather FROM run").fetchall()[0][0] == "fine"
        counts = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in rows
        }
        assert counts == rows
        for view in views.view_docs():
            connection.execute(f"SELECT * FROM {view.name} LIMIT 0")
    (saved,) = backups_of(db)
    assert connect.revision_of(saved) == REVISIONS[-1]
    with closing(connect.connect(saved)) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchone()[0] == rows["run"]


def test_upgrading_a_current_file_does_nothing(db: Path) -> None:
    assert upgrade.upgrade(db) is None
    assert backups_of(db) == []


def test_a_failed_migration_leaves_the_file_as_it_was(
    db: Path, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (later / "versions" / "9999_fails.py").write_text(FAILS_HALFWAY)
    before = db.read_bytes()
    with monkeypatch.context() as patched:
        revisions_are(patched, later, "9998", "9999")
        with pytest.raises(InfrastructureError) as caught:
            upgrade.upgrade(db)
    message = str(caught.value)
    assert str(db) in message
    assert "as it was" in message
    assert "nowhere" in message
    assert "next:" in message
    assert backups_of(db) == []
    assert db.read_bytes() == before
    connect.open_for_reading(db).close()


def test_an_upgrade_that_would_break_a_reference_is_undone(
    db: Path, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(connect.connect(db)) as connection:
        connection.execute("INSERT INTO evidence_set_item VALUES (1, 1, NULL, NULL)")
    revisions_are(monkeypatch, later, "9998")
    with pytest.raises(
        InfrastructureError, match=r"a row of evidence_set_item refers to a missing"
    ):
        upgrade.upgrade(db)
    assert connect.revision_of(db) == REVISIONS[-1]


@pytest.mark.long
def test_processes_that_race_for_a_missing_file_all_succeed(tmp_path: Path) -> None:
    path = tmp_path / "raced.db"
    done = open_at_once(path, 3)
    assert [process.returncode for process in done] == [0] * 3, done
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_processes_that_race_for_an_upgrade_all_succeed_with_one_backup(db: Path) -> None:
    upgrade.move(db, None)
    done = open_at_once(db, 3)
    assert [process.returncode for process in done] == [0] * 3, done
    assert len(backups_of(db)) == 1


def killed_at(step: str, path: Path) -> None:
    """Open the file in a process that is killed when it comes to a step."""
    module, _, name = step.rpartition(".")
    code = f"""
import os, signal
from pathlib import Path
from jw_eval_store.store import connect, {module}
{module}.{name} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
connect.open_for_writing(Path({str(path)!r}))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL


@pytest.mark.sampled(1)
@pytest.mark.parametrize("step", ["views.drop", "views.create", "draft._put"])
def test_a_kill_while_the_file_is_made_leaves_no_file(tmp_path: Path, step: str) -> None:
    path = tmp_path / "killed.db"
    killed_at(step, path)
    assert not path.exists()
    connect.open_for_writing(path).close()
    connect.open_for_reading(path).close()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("step", ["views.drop", "views.create"])
def test_a_kill_in_an_upgrade_leaves_the_older_file(db: Path, step: str) -> None:
    upgrade.move(db, None)
    killed_at(step, db)
    assert connect.revision_of(db) is None
    connect.open_for_writing(db).close()
    connect.open_for_reading(db).close()


def test_drafts_of_killed_processes_are_removed_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    old, young = tmp_path / ".results.db.draft-0ld", tmp_path / ".results.db.draft-young"
    for left in (old, young):
        left.write_bytes(b"half")
    os.utime(old, (0, 0))
    connect.open_for_writing(path).close()
    assert not old.exists()
    assert young.exists()


def test_a_draft_never_replaces_a_file_that_appeared(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with draft.draft_of(path) as made:
        made.write_text("ours")
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert not made.exists()


def test_a_draft_works_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    connect.open_for_writing(tmp_path / "results.db").close()
    assert [file.name for file in tmp_path.iterdir()] == ["results.db"]


def test_views_of_another_version_are_renewed_by_writers_and_named_by_readers(db: Path) -> None:
    with closing(connect.connect(db)) as connection:
        connection.execute("DROP VIEW v_case")
        connection.execute("CREATE VIEW v_case AS SELECT 1 AS old")
        connection.execute("CREATE VIEW v_gone AS SELECT 1 AS old")
        connection.execute("PRAGMA user_version = 7")
    with pytest.raises(InfrastructureError, match="views of another version"):
        connect.open_for_reading(db)
    assert upgrade.upgrade(db) is None
    with connect.reading(db) as connection:
        connection.execute("SELECT case_id FROM v_case")
        assert views.differing(connection) == []
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")
        assert "v_gone" not in {row["name"] for row in names}


def test_a_backup_is_whole_while_others_write(db: Path, tmp_path: Path) -> None:
    target = tmp_path / "saved.db"
    with connect.writing(db) as writer:
        writer.execute("INSERT INTO prompt VALUES (1, 'sha256:1', 'committed')")
        with connect.transaction(writer):
            writer.execute("INSERT INTO prompt VALUES (2, 'sha256:2', 'not committed')")
            assert backup.backup(db, target) == target
    with connect.reading(target) as copy:
        assert [row["body"] for row in copy.execute("SELECT body FROM prompt")] == ["committed"]
    assert not target.with_name("saved.db-wal").exists()


def test_the_tools_own_folder_stays_out_of_git(tmp_path: Path) -> None:
    upgrade.create(tmp_path / ".jw-eval" / "results.db")
    assert (tmp_path / ".jw-eval" / ".gitignore").read_text() == "*\n"
    upgrade.create(tmp_path / "kept" / "results.db")
    assert not (tmp_path / "kept" / ".gitignore").exists()

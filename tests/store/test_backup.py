"""Backups: whole, or refused; what is said to be copied is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.store.backup import backup
from jw_eval_store.store.connect import writing
from jw_eval_store.store.draft import draft_of


@pytest.fixture
def database(tmp_path: Path) -> Path:
    with writing(tmp_path / "results.db"):
        pass
    return tmp_path / "results.db"


def test_a_link_to_nowhere_is_no_place_for_a_backup(database: Path, tmp_path: Path) -> None:
    link = tmp_path / "backup.db"
    link.symlink_to(tmp_path / "nowhere.db")
    with pytest.raises(UsageError, match=r"backup\.db exists already"):
        backup(database, link)


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_a_backup_does_not_take_the_name_of_a_journal(database: Path, end: str) -> None:
    with pytest.raises(UsageError, match="that SQLite keeps for itself"):
        backup(database, database.with_name(database.name + end))
    assert not database.with_name(database.name + end).exists()


def test_a_file_that_appears_meanwhile_is_not_taken_for_the_copy(tmp_path: Path) -> None:
    target = tmp_path / "backup.db"

    def appear() -> None:
        with draft_of(target, exclusive=True):
            target.write_text("someone else's")

    with pytest.raises(UsageError, match="exists already"):
        appear()
    assert target.read_text() == "someone else's"
    assert list(tmp_path.iterdir()) == [target]

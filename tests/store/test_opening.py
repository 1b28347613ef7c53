"""Every file that can't be opened says why and what to do, and is not touched."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.store import connect, files, upgrade
from jw_eval_store.store.revision import APPLICATION_ID
from jw_eval_store.store.rows import stored_json
from jw_eval_store.text.plurals import plural

BODY = b'{"new_cases": 3}'
READ = connect.open_for_reading
WRITE = connect.open_for_writing


def refusal(path: Path, *, write: bool) -> str:
    """The message of a refused file, which names it and the next step."""
    with pytest.raises(InfrastructureError) as caught:
        (WRITE if write else READ)(path).close()
    message = str(caught.value)
    assert str(path) in message
    assert "\n  next: " in message
    assert caught.value.exit_code == 3
    return message


def other_sqlite(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
        connection.execute("INSERT INTO songs VALUES ('theirs')")
        connection.commit()
    return path


def with_bytes(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_missing_file_is_refused_to_readers_with_the_next_step(tmp_path: Path) -> None:
    message = refusal(tmp_path / "none.db", write=False)
    assert "does not exist" in message
    assert "jw-eval run" in message
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "is an empty file"),
        (b"id: case\n", "is not an SQLite database"),
        (b"SQLite format 3", "is not an SQLite database"),
        (b"SQLite format 3\x00" + b"junk" * 500, "is not an SQLite database"),
    ],
)
def test_a_file_that_is_no_database_is_refused_untouched(
    tmp_path: Path, content: bytes, cause: str, write: bool
) -> None:
    path = with_bytes(tmp_path / "some.db", content)
    assert cause in refusal(path, write=write)
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["some.db"]


@pytest.mark.parametrize("write", [False, True])
def test_a_folder_is_refused(tmp_path: Path, write: bool) -> None:
    assert "is a folder" in refusal(tmp_path, write=write)


@pytest.mark.parametrize("write", [False, True])
def test_a_pipe_a_socket_and_a_device_are_refused_at_once(tmp_path: Path, write: bool) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        assert "is a pipe, not a file" in refusal(path, write=write)
    assert "is a device, not a file" in refusal(Path(os.devnull), write=write)
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(tmp_path / "socket"))
        assert "is a socket, not a file" in refusal(tmp_path / "socket", write=write)


@pytest.mark.parametrize("write", [False, True])
def test_another_programs_file_is_refused_untouched(tmp_path: Path, write: bool) -> None:
    path = other_sqlite(tmp_path / "music.db")
    before = path.read_bytes()
    message = refusal(path, write=write)
    assert "another program" in message
    assert "songs" in message
    assert path.read_bytes() == before


@pytest.mark.parametrize("write", [False, True])
def test_a_newer_file_is_refused_untouched(db: Path, write: bool) -> None:
    with closing(connect.connect(db)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = db.read_bytes()
    message = refusal(db, write=write)
    assert "is newer than this jw-eval" in message
    assert "upgrade the tool" in message
    assert db.read_bytes() == before


def test_an_older_file_is_refused_to_readers_with_the_command(db: Path) -> None:
    upgrade.move(db, None)
    before = db.read_bytes()
    assert f"jw-eval db upgrade --db {db}" in refusal(db, write=False)
    assert db.read_bytes() == before


def test_a_file_below_a_file_is_refused(tmp_path: Path) -> None:
    with_bytes(tmp_path / "file", b"x")
    refusal(tmp_path / "file" / "results.db", write=True)


def test_a_library_that_is_too_old_is_named(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(InfrastructureError, match=r"jw-eval needs 3\.37"):
        READ(db)


def test_a_locked_file_is_named_after_the_wait(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.05)
    with connect.writing(db) as first, connect.transaction(first):
        with connect.reading(db) as reader:
            assert reader.execute("SELECT count(*) FROM run").fetchone()[0] == 0
        with (
            pytest.raises(InfrastructureError, match="is locked by another process"),
            connect.writing(db) as second,
            connect.transaction(second),
        ):
            pytest.fail("two writers at once")


def test_a_locked_file_is_named_when_it_should_be_upgraded(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade.move(db, None)
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.05)
    with closing(connect.connect(db)) as first, connect.transaction(first):
        assert "is locked by another process" in refusal(db, write=True)
    assert [file for file in db.parent.iterdir() if "backup" in file.name] == []


def test_a_damaged_file_is_named(db: Path) -> None:
    with connect.writing(db) as connection:
        connection.executemany(
            "INSERT INTO prompt VALUES (?, ?, ?)",
            ((n, f"sha256:{n}", "x" * 900) for n in range(99)),
        )
    content = bytearray(db.read_bytes())
    content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
    db.write_bytes(content)
    with pytest.raises(InfrastructureError, match="is damaged") as caught, connect.reading(db) as c:
        c.execute("SELECT sum(length(body)) FROM prompt").fetchone()
    assert "restore a backup" in str(caught.value)


def write_until_full(path: Path) -> None:
    with connect.writing(path) as c:
        c.execute("INSERT INTO prompt VALUES (1, 'sha256:1', 'kept')")
        pages = c.execute("PRAGMA page_count").fetchone()[0]
        c.execute(f"PRAGMA max_page_count = {pages}")
        with connect.transaction(c):
            c.execute("INSERT INTO prompt VALUES (2, 'sha256:2', 'lost')")
            c.execute("INSERT INTO prompt VALUES (3, 'sha256:3', ?)", ("x" * 100_000,))


def test_a_full_database_is_named_and_keeps_what_was_committed(db: Path) -> None:
    with pytest.raises(InfrastructureError, match="the disk is full"):
        write_until_full(db)
    with connect.reading(db) as c:
        assert [row["body"] for row in c.execute("SELECT body FROM prompt")] == ["kept"]


def may_mount(command: list[str]) -> bool:
    found = shutil.which(command[0]) is not None
    return found and subprocess.run([*command, "true"], check=False).returncode == 0


def on_file_system(folder: Path, mount: str, code: str) -> str:
    """What a process prints that sees `folder` through a mount of its own."""
    script = f"{mount} && exec {sys.executable} -c '{code}' {folder}"
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script]
    if not may_mount(command[:3]):
        pytest.skip("no mount of one's own here (unshare)")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


COMMON = """
import sys
from pathlib import Path
from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.store import connect
path = Path(sys.argv[1]) / "results.db"
"""


def test_a_full_disk_is_named_and_keeps_what_was_committed(tmp_path: Path) -> None:
    code = """
kept = 0
try:
    with connect.writing(path) as c:
        for n in range(10_000):
            with connect.transaction(c):
                c.execute("INSERT INTO prompt VALUES (?, ?, ?)", (n, str(n), "x" * 5_000))
            kept += 1
except InfrastructureError as error:
    print(error)
with connect.reading(path) as c:
    print(kept > 10, kept == c.execute("SELECT count(*) FROM prompt").fetchone()[0],
          c.execute("PRAGMA integrity_check").fetchone()[0])
"""
    mount = f"mount -t tmpfs -o size=2m tmpfs {tmp_path}"
    printed = on_file_system(tmp_path, mount, COMMON + code)
    assert "could not be written: the disk is full" in printed
    assert "True True ok" in printed


def test_a_disk_that_is_full_from_the_start_leaves_no_file(tmp_path: Path) -> None:
    code = """
try:
    connect.open_for_writing(path)
except InfrastructureError as error:
    print(error)
print([file.name for file in path.parent.iterdir()])
"""
    mount = f"mount -t tmpfs -o size=64k tmpfs {tmp_path}"
    printed = on_file_system(tmp_path, mount, COMMON + code)
    assert "could not be written: the disk is full" in printed
    assert printed.endswith("[]\n")


def test_a_backup_to_a_full_disk_names_the_target(db: Path) -> None:
    code = """
from jw_eval_store.store.backup import backup
target = path.parent / "small" / "backup.db"
try:
    backup(path, target)
except InfrastructureError as error:
    print(error)
print([file.name for file in target.parent.iterdir()])
"""
    (db.parent / "small").mkdir()
    mount = f"mount -t tmpfs -o size=64k tmpfs {db.parent / 'small'}"
    printed = on_file_system(db.parent, mount, COMMON + code)
    target = db.parent / "small" / "backup.db"
    assert f"database {target} could not be written: the disk is full" in printed
    assert printed.endswith("[]\n")


def test_a_read_only_folder_is_read_and_refused_to_writers(db: Path) -> None:
    code = """
with connect.reading(path) as c:
    print(c.execute("SELECT count(*) FROM v_result").fetchone()[0])
for name in ("results.db", "new.db"):
    try:
        connect.open_for_writing(path.with_name(name))
    except InfrastructureError as error:
        print(error)
"""
    folder = db.parent
    mount = f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder}"
    printed = on_file_system(folder, mount, COMMON + code)
    assert printed.startswith("0\n")
    assert printed.count("is read-only") == 2
    assert printed.count("next: ") == 2


def test_readers_can_not_write(db: Path) -> None:
    with pytest.raises(InfrastructureError), connect.reading(db) as connection:
        connection.execute("DELETE FROM run")


def test_broken_constraints_stay_mistakes_of_the_program(db: Path) -> None:
    with pytest.raises(sqlite3.IntegrityError), connect.writing(db) as connection:
        connection.execute("INSERT INTO prompt VALUES (1, NULL, '')")


def insert_nested(c: connect.Connection) -> None:
    with connect.transaction(c):
        c.execute("INSERT INTO prompt VALUES (1, 'sha256:1', 'x')")
        with connect.transaction(c):
            pytest.fail("nested")


def test_transactions_roll_back_on_any_error_and_do_not_nest(db: Path) -> None:
    with connect.writing(db) as c:
        with pytest.raises(ValueError, match="int"), connect.transaction(c):
            c.execute("INSERT INTO prompt VALUES (1, 'sha256:1', ?)", (str(int("x")),))
        with pytest.raises(RuntimeError, match="don't nest"):
            insert_nested(c)
        assert c.execute("SELECT count(*) FROM prompt").fetchone()[0] == 0


def test_now_sorts_as_it_reads() -> None:
    moments = [connect.now() for _ in range(50)]
    assert moments == sorted(moments)
    assert {(len(moment), moment[-1]) for moment in moments} == {(24, "Z")}


def test_opening_a_current_file_imports_no_migration_library(db: Path) -> None:
    code = """
import sys
from pathlib import Path
from jw_eval_store.store import connect
for open_ in (connect.writing, connect.reading):
    with open_(Path(sys.argv[1])):
        pass
print([name for name in ("sqlalchemy", "alembic", "pydantic") if name in sys.modules])
"""
    command = [sys.executable, "-c", code, str(db)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_file_says_whose_it_is(db: Path) -> None:
    assert db.read_bytes()[68:72] == APPLICATION_ID.to_bytes(4, "big") == b"JWEV"


def test_bytes_that_are_no_text_are_damage_and_no_fault_of_the_program(db: Path) -> None:
    """A page's checksum is nothing that SQLite keeps: the bytes are read as they are."""
    with closing(connect.connect(db)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        sql = "INSERT INTO policy (policy_hash, body, created_at) VALUES ('x', ?, '2026-05-30')"
        key = connection.execute(sql, (BODY.decode(),)).lastrowid
    whole = db.read_bytes()
    for broken in (b'{"new_cases\xff": 3', b'{"new_cases": 3'):
        db.write_bytes(whole.replace(BODY, broken.ljust(len(BODY))))
        with pytest.raises(InfrastructureError, match="the database is damaged") as caught:
            stored_policy(db, key)
        assert str(db) in str(caught.value)
        assert "see: jw-eval db check" in (caught.value.hint or "")
    db.write_bytes(whole.replace(b"CREATE TABLE policy", b"CREATE TABLE p\xff\xffi(y"))
    with pytest.raises(InfrastructureError, match="damaged"):
        stored_policy(db, key)


def stored_policy(db: Path, key: int | None) -> None:
    with connect.reading(db) as connection:
        (body,) = connection.execute("SELECT body FROM policy WHERE id = ?", (key,)).fetchone()
        stored_json(body)


def test_a_mistake_of_the_program_is_not_called_damage(db: Path) -> None:
    with pytest.raises(ValueError, match="Cannot specify"), connect.reading(db):
        plural("3", "case")  # type: ignore[arg-type]  # the mistake


def test_a_path_that_no_system_takes_is_not_called_damage() -> None:
    with pytest.raises(ValueError, match="embedded null"), connect.reading(Path("a\0b")):
        pass

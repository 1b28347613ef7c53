"""Making and upgrading the file: Alembic, run from code, in one transaction that rolls back.

The order inside the transaction matters: our views go first, since SQLite can't rewrite a table
that a view mentions; foreign keys are off, since rewriting a table would delete its children, and
are checked before the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from jw_eval_store import resources
from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.store import errors, files, views
from jw_eval_store.store.backup import copy
from jw_eval_store.store.draft import draft_of
from jw_eval_store.store.revision import APPLICATION_ID, NEWEST, REVISIONS

OWN_FOLDER = ".jw-eval"
"""The folder that commands make beside the configuration where none is named."""


def create(path: Path) -> None:
    """Make a new file at the newest schema, with its folders. Does nothing where one appeared."""
    _keep_out_of_git(path.parent)
    with draft_of(path) as draft:
        new = files.connect(draft)
        new.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        new.execute("PRAGMA journal_mode = WAL")
        new.close()
        move(draft, NEWEST)


def _keep_out_of_git(folder: Path) -> None:
    """Let git pass over the tool's own folder: results are kept by caches, not by commits."""
    ignored = folder / ".gitignore"
    if folder.name == OWN_FOLDER and not ignored.exists():
        folder.mkdir(parents=True, exist_ok=True)
        ignored.write_text("*\n", encoding="utf-8")


def upgrade(path: Path) -> Path | None:
    """Bring an older file to the newest schema. Returns the backup made before, if there was need.

    Processes that race wait for the first one, then find nothing to do. A failed migration leaves
    the file as it was, and no backup beside it.
    """
    old = files.revision_of(path)
    if old == NEWEST:
        _renew_views(path)
        return None
    backup = _backup_path(path, old)
    try:
        return backup if _move(path, NEWEST, lambda: copy(path, backup)) else None
    except Exception as error:
        backup.unlink(missing_ok=True)
        if isinstance(error, InfrastructureError):
            raise
        raise errors.failed_upgrade(path, old, NEWEST, error) from error


def _renew_views(path: Path) -> None:
    """A current file may hold views of another version of the tool."""
    files.refuse_read_only(path)
    with errors.translated(path), closing(files.connect(path)) as connection:
        files.prepare(connection)


def move(path: Path, revision: str | None) -> None:
    """Bring a file to any schema revision, up or down, without a backup; none: before the first.

    For new files, for those who write migrations, and for their tests. Going down may drop data.
    """
    _move(path, revision, lambda: None)


def _move(path: Path, new: str | None, before: Callable[[], object]) -> bool:
    """Step through the migrations under the write lock. False: another process had done it.

    `before` is called under the lock, before anything changes.
    """
    with errors.translated(path), _migrating(path) as connection:
        raw = cast(files.Connection, connection.connection.driver_connection)
        old = files.stored_revision(raw)
        if old == new:
            return False
        before()
        views.drop(raw)
        _run(connection, old, new)
        if new == NEWEST:
            views.create(raw)
        _check_foreign_keys(raw)
    return True


def _run(connection: Connection, old: str | None, new: str | None) -> None:
    config = Config()
    folder = str(resources.bundled("migrations"))
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.attributes["connection"] = connection
    order = (None, *REVISIONS)
    step = command.upgrade if order.index(new) > order.index(old) else command.downgrade
    step(config, new or "base")


@contextmanager
def _migrating(path: Path) -> Iterator[Connection]:
    """A connection for Alembic inside BEGIN IMMEDIATE, committed at the end, with foreign keys off.

    SQLAlchemy's errors come out as SQLite's.
    """
    engine = create_engine("sqlite://", creator=lambda: _plain(path), poolclass=NullPool)
    event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            yield connection
    except DBAPIError as error:
        raise (error.orig or error) from error
    finally:
        engine.dispose()


def _plain(path: Path) -> files.Connection:
    connection = files.connect(path)
    connection.row_factory = None
    return connection


def _check_foreign_keys(connection: files.Connection) -> None:
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        table, _, target, _ = broken
        raise InfrastructureError(
            f"the upgrade was undone: a row of {table} refers to a missing row of {target}",
            hint="the file is as it was; run: jw-eval db check",
        )


def _backup_path(path: Path, revision: str | None) -> Path:
    """Such as `results.db.backup-0001-20260131T120000Z`, beside the file."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    return path.with_name(f"{path.name}.backup-{revision or 'none'}-{moment}")

"""The stat cache of synced folders: what each file was when it was last read."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from typing import Literal, NamedTuple

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples

FileKind = Literal["case", "evidence", "recording"]


class SyncedFile(NamedTuple):
    """A file as last read: the revision or snapshot it became, or why it was refused."""

    path: str
    root: str
    kind: FileKind
    size: int
    mtime_ns: int
    content_hash: str
    revision: int | None = None
    snapshot: int | None = None
    error: str | None = None


_COLUMNS = "path, root, kind, size, mtime_ns, content_hash, revision_id, snapshot_id, error"


def synced_files(conn: Connection, root: str, kind: FileKind) -> dict[str, SyncedFile]:
    """Files of one folder by path."""
    sql = f"SELECT {_COLUMNS} FROM synced_file WHERE root = ? AND kind = ?"
    return {row[0]: SyncedFile._make(row) for row in tuples(conn, sql, (root, kind))}


def synced_stats(conn: Connection, root: str, kind: FileKind) -> dict[str, tuple[int, int]]:
    """Size and time of one folder's files by path; of refused ones what no file has."""
    sql = """
        SELECT path, iif(error IS NULL, size, -1), mtime_ns FROM synced_file
        WHERE root = ? AND kind = ?
    """
    return {path: (size, mtime) for path, size, mtime in tuples(conn, sql, (root, kind))}


def displaced_files(conn: Connection, root: str) -> set[str]:
    """Case files of a folder whose content is no longer current, though they are as last read.

    Another checkout's file has taken the case since, or archived it. What was edited in the
    registry itself doesn't count.
    """
    sql = """
        WITH lost AS MATERIALIZED (
            SELECT path, root, revision_id FROM synced_file
            WHERE root = ? AND kind = 'case' AND error IS NULL AND revision_id NOT IN (
                SELECT current_revision_id FROM golden_case
                WHERE archived_at IS NULL AND current_revision_id IS NOT NULL)
        )
        SELECT f.path FROM lost f JOIN case_revision r ON r.id = f.revision_id
        JOIN golden_case g ON g.id = r.golden_case_id
        WHERE g.archived_at IS NOT NULL OR EXISTS (
            SELECT 1 FROM synced_file h
            WHERE h.revision_id = g.current_revision_id AND h.root <> f.root AND h.error IS NULL)
    """
    return {row[0] for row in conn.execute(sql, (root,))}


def synced_file(conn: Connection, path: str) -> SyncedFile | None:
    """A file as last read."""
    row = conn.execute(f"SELECT {_COLUMNS} FROM synced_file WHERE path = ?", (path,)).fetchone()
    return SyncedFile(*row) if row else None


def put_synced(conn: Connection, files: Iterable[SyncedFile]) -> None:
    """Remember files as read now; inside a transaction."""
    conn.executemany(
        f"INSERT OR REPLACE INTO synced_file ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        files,
    )


def forget_synced(conn: Connection, paths: Iterable[str]) -> None:
    """Forget files that are gone; inside a transaction."""
    conn.executemany("DELETE FROM synced_file WHERE path = ?", ((path,) for path in paths))


def other_files_of(conn: Connection, case: int, path: str, roots: Container[str]) -> list[str]:
    """Other synced files of these folders that hold a revision of the same case.

    A database that was restored elsewhere still remembers the folders of where it came from.
    """
    sql = """
        SELECT f.path, f.root FROM synced_file f JOIN case_revision r ON r.id = f.revision_id
        WHERE r.golden_case_id = ? AND f.path <> ? AND f.kind = 'case'
    """
    return [found for found, root in tuples(conn, sql, (case, path)) if root in roots]


def cases_of_other_roots(conn: Connection, roots: Collection[str]) -> list[tuple[str, str]]:
    """Current cases of one's own that have files in other folders only: case id and folder."""
    marks = ", ".join("?" * len(roots))
    sql = f"""
        SELECT g.case_id, max(f.root) FROM synced_file f
        JOIN case_revision r ON r.id = f.revision_id JOIN golden_case g ON g.id = r.golden_case_id
        WHERE f.kind = 'case' AND f.root NOT IN ({marks}) AND g.archived_at IS NULL
          AND NOT g.bundled AND NOT EXISTS (
            SELECT 1 FROM case_revision s JOIN synced_file h ON h.revision_id = s.id
            WHERE s.golden_case_id = g.id AND h.root IN ({marks}))
        GROUP BY g.case_id ORDER BY g.case_id
    """
    return list(tuples(conn, sql, (*roots, *roots)))


def case_of_revision(conn: Connection, revision: int) -> str:
    """Case id of a revision."""
    sql = (
        "SELECT g.case_id FROM case_revision r JOIN golden_case g ON g.id = r.golden_case_id"
        " WHERE r.id = ?"
    )
    return str(conn.execute(sql, (revision,)).fetchone()[0])


def files_by_case(conn: Connection) -> dict[int, list[str]]:
    """Paths of synced case files by local key of their case."""
    sql = """
        SELECT r.golden_case_id, f.path FROM synced_file f
        JOIN case_revision r ON r.id = f.revision_id WHERE f.kind = 'case' ORDER BY f.path
    """
    found: dict[int, list[str]] = {}
    for case, path in conn.execute(sql):
        found.setdefault(case, []).append(path)
    return found


def synced_hash(conn: Connection, path: str) -> str:
    """Content address of a file as last synced; empty where it never was."""
    row = conn.execute("SELECT content_hash FROM synced_file WHERE path = ?", (path,)).fetchone()
    return str(row[0]) if row else ""

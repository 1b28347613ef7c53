"""An index of the current cases' vectors by sqlite-vec, so that the nearest of many are found fast.

It is derived from the table `embedding`, made again when missing, and the tool works without it.
It is a file of its own beside the database, opened by one SQLite library only: many Pythons can't
load extensions, and the second library that then does it (pysqlite3) must not open the database
itself, since two libraries in one process drop each other's locks (sqlite.org/howtocorrupt.html).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jw_eval_store.store.connect import BUSY_SECONDS, Connection

MOST = 4096
"""Neighbours that sqlite-vec gives at most."""

_CURRENT = """
    SELECT v.text_hash, v.vector FROM embedding v JOIN embedder m ON m.id = v.embedder_id
    WHERE m.identity_hash = ? AND length(v.vector) = 4 * m.dimension AND v.text_hash IN (
        SELECT t.text_hash FROM revision_text t
        JOIN golden_case g ON g.current_revision_id = t.revision_id WHERE g.archived_at IS NULL)
"""


@dataclass(frozen=True)
class Neighbour:
    """A text of a current case by its hash, and the cosine of its vector, -1..1."""

    text_hash: str
    cosine: float


def index_file(path: Path) -> Path:
    """Where the index of a database is. It may be deleted at any time."""
    return path.with_name(f"{path.name}.vectors")


def index_available() -> bool:
    """Whether sqlite-vec can be loaded here. The tool works without it."""
    return _library() is not None


def nearest(
    connection: Connection, path: Path, identity_hash: str, vector: bytes, count: int
) -> list[Neighbour] | None:
    """The texts of current cases nearest to a vector (float32), nearest first.

    None where sqlite-vec can't be loaded or its file can't be written here, and for more than
    `MOST`: compare without an index. A damaged index is made again.
    """
    library = _library()
    if library is None or count > MOST:
        return None
    current = {str(h): bytes(v) for h, v in connection.execute(_CURRENT, (identity_hash,))}
    if not current:
        return []
    try:
        return _search(library, path, identity_hash, current, vector, count)
    except library.OperationalError:
        return None
    except library.DatabaseError:
        for file in (index_file(path), Path(f"{index_file(path)}-journal")):
            file.unlink(missing_ok=True)
        return _search(library, path, identity_hash, current, vector, count)


def _search(
    library: Any,
    path: Path,
    identity_hash: str,
    current: dict[str, bytes],
    vector: bytes,
    count: int,
) -> list[Neighbour]:
    table = f"vectors_{identity_hash.removeprefix('sha256:')[:32]}"
    with _opened(library, index_file(path)) as index:
        _sync(index, table, current)
        rows = index.execute(
            f"SELECT text_hash, distance FROM {table} WHERE vector MATCH ? AND k = ?"
            " ORDER BY distance",
            (vector, count),
        )
        return [Neighbour(h, 1 - distance) for h, distance in rows if distance is not None]


def _sync(index: Any, table: str, current: dict[str, bytes]) -> None:
    """Bring the index to the current texts. A text's vector never changes, only which are there."""
    index.execute("BEGIN IMMEDIATE")
    size = len(next(iter(current.values()))) // 4
    index.execute(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS {table} USING vec0("
        f"text_hash TEXT PRIMARY KEY, vector FLOAT[{size}] distance_metric=cosine)"
    )
    there = {text_hash for (text_hash,) in index.execute(f"SELECT text_hash FROM {table}")}
    index.executemany(
        f"DELETE FROM {table} WHERE text_hash = ?", [(h,) for h in there - current.keys()]
    )
    index.executemany(
        f"INSERT INTO {table} (text_hash, vector) VALUES (?, ?)",
        [(h, current[h]) for h in current.keys() - there],
    )
    index.execute("COMMIT")


@contextmanager
def _opened(library: Any, path: Path) -> Iterator[Any]:
    import sqlite_vec

    index = library.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        index.enable_load_extension(True)
        sqlite_vec.load(index)
        index.enable_load_extension(False)
        yield index
    finally:
        index.close()


def _library() -> Any:
    """The SQLite library that can load extensions: Python's own, else pysqlite3; none: neither."""
    try:
        import sqlite_vec  # noqa: F401  (is it there at all?)

        if hasattr(sqlite3.Connection, "enable_load_extension"):
            return sqlite3
        from pysqlite3 import dbapi2
    except ImportError:
        return None
    return dbapi2

"""What went wrong with the database file, in words: names the file, the cause, the next step."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jw_eval_store.domain.errors import InfrastructureError, JwEvalError

_CAUSES = {
    "SQLITE_BUSY": (
        "is locked by another process",
        "wait until the other jw-eval ends, or close the program that has the file open",
    ),
    "SQLITE_LOCKED": ("is locked by another statement", "run the command again"),
    "SQLITE_READONLY": (
        "can't be written: the file or its folder is read-only",
        "make both writable, or name another file with --db",
    ),
    "SQLITE_PERM": ("may not be accessed", "look at the permissions of the file and its folder"),
    "SQLITE_FULL": (
        "could not be written: the disk is full",
        "free some space and run the command again; what was stored before is intact",
    ),
    "SQLITE_CORRUPT": (
        "is damaged",
        "keep the file as it is, restore a backup (jw-eval db backup makes them), or recover the "
        "rows with: sqlite3 FILE .recover",
    ),
    "SQLITE_NOTADB": ("is not an SQLite database", "name another file with --db"),
    "SQLITE_CANTOPEN": (
        "can't be opened",
        "look at the permissions of the file and its folder, or name another file with --db",
    ),
    "SQLITE_IOERR": (
        "could not be read or written: the disk reports an error",
        "look at the disk and its free space; what was stored before is intact",
    ),
    "SQLITE_INTERRUPT": ("was interrupted", "run the command again"),
    "SQLITE_NOMEM": ("could not be read: memory is used up", "close other programs"),
}

_ERRNO = {
    errno.ENOSPC: "SQLITE_FULL",
    errno.EDQUOT: "SQLITE_FULL",
    errno.EFBIG: "SQLITE_FULL",
    errno.EROFS: "SQLITE_READONLY",
    errno.EACCES: "SQLITE_PERM",
    errno.EPERM: "SQLITE_PERM",
}


_UNREADABLE = ("Could not decode to UTF-8", "malformed JSON")
"""How errors without a name of their own begin where a stored text is none, or no JSON."""


def translate(error: sqlite3.Error | OSError, path: Path) -> JwEvalError:
    """The error for people. What isn't known is an internal error that still names the file."""
    for prefix, (cause, hint) in _CAUSES.items():
        if _name_of(error).startswith(prefix):
            return InfrastructureError(
                f"database {path} {cause} ({error})", hint=hint.replace("FILE", str(path))
            )
    if str(error).startswith(_UNREADABLE):
        return damaged(path, error)
    if isinstance(error, OSError):
        return InfrastructureError(
            f"database {path} can't be reached: {error.strerror or error}",
            hint="name another file with --db",
        )
    return JwEvalError(
        f"database {path}: {type(error).__name__}: {error}", hint="run: jw-eval db check"
    )


def _name_of(error: sqlite3.Error | OSError) -> str:
    """SQLite's name of the error (`SQLITE_BUSY_SNAPSHOT`), or the one nearest to an OS error."""
    if isinstance(error, OSError):
        return _ERRNO.get(error.errno or 0, "")
    return getattr(error, "sqlite_errorname", "")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what SQLite reports inside, and what damaged bytes cause, into errors for people.

    Broken constraints and wrong statements stay as they are: those are mistakes of the program.
    """
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise
    except sqlite3.Error as error:
        raise translate(error, path) from error
    except _OF_DAMAGE as error:
        if _comes_from_request(error) or not _raised_in_store(error):
            raise
        raise damaged(path, error) from error


_OF_DAMAGE = (ValueError, LookupError, TypeError, AttributeError)
"""What bytes that nobody wrote cause where they are read: text that is none, JSON without its end,
rows without a part. SQLite's own message may hold them, too, and can't be read then.
"""


def _comes_from_request(error: Exception) -> bool:
    """Whether a text or a path that no system takes was handed in."""
    return isinstance(error, UnicodeEncodeError) or str(error).startswith("embedded null")


def _raised_in_store(error: BaseException) -> bool:
    """Whether the innermost code of ours is the store's: elsewhere it is no matter of the file."""
    ours, trace = [], error.__traceback__
    while trace is not None:
        ours.append(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    ours = [name for name in ours if name.startswith(("jw_eval_store.", "jw_eval_cli."))]
    return bool(ours) and ours[-1].startswith("jw_eval_store.store.")


def damaged(path: Path, error: Exception) -> JwEvalError:
    """The file holds bytes that jw-eval never wrote."""
    _, hint = _CAUSES["SQLITE_CORRUPT"]
    return InfrastructureError(
        f"the database is damaged: {path} ({type(error).__name__}: {error})",
        hint=f"see: jw-eval db check --db {path}; {hint.replace('FILE', str(path))}",
    )


def old_library(version: str) -> JwEvalError:
    """SQLite before 3.37 takes STRICT tables for damage."""
    return InfrastructureError(
        f"this Python has SQLite {version}; jw-eval needs 3.37 or newer",
        hint="use a newer Python, such as the one that uv installs",
    )


def missing(path: Path) -> JwEvalError:
    """There is no such file yet."""
    return InfrastructureError(
        f"database {path} does not exist",
        hint="run: jw-eval run (makes it), or name another file with --db",
    )


def directory(path: Path) -> JwEvalError:
    """The path is a folder."""
    return InfrastructureError(
        f"database {path} is a folder, not a file", hint=f"name a file: --db {path / 'results.db'}"
    )


def no_file(path: Path) -> JwEvalError:
    """The path is a pipe, a socket or a device: nothing that keeps what is written to it."""
    kind = "pipe" if path.is_fifo() else "socket" if path.is_socket() else "device"
    return InfrastructureError(
        f"database {path} is a {kind}, not a file; it was not touched",
        hint="name another file with --db",
    )


def empty(path: Path) -> JwEvalError:
    """The file has no bytes: nothing of ours, but perhaps someone's placeholder."""
    return InfrastructureError(
        f"database {path} is an empty file, not a jw-eval database",
        hint="delete it, and the next run makes a new one; or name another file with --db",
    )


def not_sqlite(path: Path) -> JwEvalError:
    """The file is something else."""
    return InfrastructureError(
        f"database {path} is not an SQLite database; it was not touched",
        hint="name another file with --db",
    )


def not_ours(path: Path, tables: list[str]) -> JwEvalError:
    """An SQLite file of another program."""
    listed = ", ".join(tables[:5]) or "none"
    return InfrastructureError(
        f"database {path} is an SQLite file of another program (its tables: {listed}); "
        "it was not touched",
        hint="name another file with --db",
    )


def older(path: Path, revision: str | None, newest: str) -> JwEvalError:
    """Readers don't upgrade by themselves."""
    return InfrastructureError(
        f"database {path} has the older schema {revision or 'none'}; "
        f"this jw-eval reads schema {newest}",
        hint=f"run: jw-eval db upgrade --db {path} (makes a backup first)",
    )


def failed_upgrade(path: Path, old: str | None, new: str, error: Exception) -> JwEvalError:
    """A migration that can't deal with what the file holds."""
    return InfrastructureError(
        f"database {path} could not be upgraded from schema {old or 'none'} to {new}, "
        f"and is as it was: {error}",
        hint="go on with the version of jw-eval that wrote it, and report this message",
    )


def other_views(path: Path) -> JwEvalError:
    """The tables are right, but the views are those of an older or newer version."""
    return InfrastructureError(
        f"database {path} has the views of another version of jw-eval",
        hint=f"run: jw-eval db upgrade --db {path} (changes no data)",
    )


def newer(path: Path, revision: str, newest: str) -> JwEvalError:
    """Written by a later version of the tool."""
    return InfrastructureError(
        f"database {path} is newer than this jw-eval: it has schema {revision}, "
        f"this version knows schemas up to {newest}; it was not touched",
        hint="upgrade the tool: pip install --upgrade jw-eval-store",
    )


def read_only(path: Path) -> JwEvalError:
    """The file, or the folder that takes its journal, can't be written."""
    cause, hint = _CAUSES["SQLITE_READONLY"]
    return InfrastructureError(f"database {path} {cause}", hint=hint)

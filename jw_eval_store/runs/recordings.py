"""Look after recordings: list, show, verify, prune, and exchange them as HAR files."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from jw_eval_store.agents.har import from_har, har_moment, to_har
from jw_eval_store.config import Config
from jw_eval_store.config.database import HasDatabase, Located
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.recordings import Recording
from jw_eval_store.store.connect import reading, transaction, writing
from jw_eval_store.store.recordings import (
    RecordingRow,
    damaged_recordings,
    list_recordings,
    load_recording,
    prune_recordings,
    put_recording,
)
from jw_eval_store.text.plurals import plural


@dataclass(frozen=True)
class Aged:
    """A current recording, and its age in whole days."""

    row: RecordingRow
    days: int


@dataclass(frozen=True)
class Verified:
    """How many recordings there are, and what is wrong with which."""

    count: int
    damaged: tuple[RecordingRow, ...]
    old: tuple[Aged, ...]


def all_recordings(database: HasDatabase) -> list[Aged]:
    """The current recordings, by case and agent."""
    with reading(database.database) as conn:
        return [_aged(row) for row in list_recordings(conn)]


def show_recording(database: Located, case_id: str, agent: str | None) -> Recording:
    """The recording of a case. Raises EmptySelectionError where there is none, or several."""
    with reading(database.database) as conn:
        rows = [
            row
            for row in list_recordings(conn)
            if row.case_id == case_id and agent in (None, row.agent)
        ]
        if len(rows) != 1:
            agents = ", ".join(row.agent for row in rows)
            record = f"jw-eval agents record --case {case_id}"
            found = plural(len(rows), "recording") if rows else "no recording"
            raise EmptySelectionError(
                f"{found} of case {case_id!r} {agents}".rstrip(),
                hint="name its agent with --agent" if rows else record,
            )
        return load_recording(conn, rows[0].key)


def verify_recordings(database: Located, max_age: int | None = None) -> Verified:
    """Whether each recording is what its address says, and no older than so many days.

    Raises EmptySelectionError where there is none: nothing would have been verified.
    """
    with reading(database.database) as conn:
        rows = list_recordings(conn)
        damaged = tuple(damaged_recordings(conn))
    if not rows and not damaged:
        hint = "jw-eval agents record, or mend `recordings` in the configuration"
        raise EmptySelectionError("there is no recording to verify", hint=hint)
    old = tuple(a for a in map(_aged, rows) if max_age is not None and a.days > max_age)
    return Verified(len(rows), damaged, old)


def prune(database: Located) -> tuple[int, int]:
    """Remove recordings that nothing needs; how many, and how many bodies."""
    with writing(database.database) as conn, transaction(conn):
        return prune_recordings(conn)


def export_recordings(database: Located, folder: Path) -> int:
    """Write every current recording to `folder/AGENT/CASE.har`; how many.

    A folder that is called `*.zip` is written as one file, the same for the same recordings. Raises
    EmptySelectionError where there is none: an earlier file would be replaced by an empty one.
    """
    files = dict(_har_texts(database))
    if not files:
        hint = "jw-eval agents record, or name the database with --db"
        raise EmptySelectionError("there is no recording to export", hint=hint)
    if folder.suffix == ".zip":
        _zip(folder, files)
        return len(files)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(files)


def _har_texts(database: Located) -> Iterator[tuple[str, str]]:
    with reading(database.database) as conn:
        for row in list_recordings(conn):
            moment = datetime.fromisoformat(row.recorded_at)
            text = to_har(load_recording(conn, row.key), moment)
            yield f"{row.agent}/{row.case_id}.har", text


def _zip(path: Path, files: Mapping[str, str]) -> None:
    """Put the archive at `path`, whole or not at all."""
    draft = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as file:
            for name, text in files.items():
                entry = zipfile.ZipInfo(name)  # its date is a constant
                entry.compress_type = zipfile.ZIP_DEFLATED
                file.writestr(entry, text)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def import_recording(config: Config, path: Path, case_id: str, agent: str) -> Recording:
    """Make a HAR file the recording of a case. Raises UsageError for no HAR or an unknown case."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise UsageError(f"{path} cannot be read: {exc}", hint="name a HAR file") from exc
    recording = from_har(text, str(path), config.settings.secrets)
    with writing(config.database) as conn, transaction(conn):
        try:
            put_recording(conn, case_id, agent, recording, har_moment(text, str(path)))
        except KeyError as exc:
            raise UsageError(f"no case {case_id!r}", hint="jw-eval cases list") from exc
    return recording


def _aged(row: RecordingRow) -> Aged:
    age = datetime.now(UTC) - datetime.fromisoformat(row.recorded_at).astimezone(UTC)
    return Aged(row, max(0, age.days))

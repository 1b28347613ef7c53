"""The registry opened: synced with its folders first, so that nobody sees yesterday's cases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.runs.syncing import SyncReport
from jw_eval_store.runs.workspace import sync_workspace
from jw_eval_store.store.cases import CaseRow, find_case, known_ids, taken_ids
from jw_eval_store.store.connect import Connection, writing
from jw_eval_store.store.synced import files_by_case, synced_hash
from jw_eval_store.text.nearest import did_you_mean


@dataclass(frozen=True)
class Registry:
    """An open store with its configuration, and what the sync found."""

    conn: Connection
    config: Config
    synced: SyncReport

    @property
    def folders(self) -> list[Path]:
        """The configured folders of cases."""
        return [Path(folder) for folder in self.config.settings.cases]

    def row(self, case_id: str) -> CaseRow:
        """A case, archived or not. Raises EmptySelectionError with the nearest id."""
        row = find_case(self.conn, case_id)
        if row is None:
            hint = did_you_mean(case_id, known_ids(self.conn)) or "jw-eval cases list"
            raise EmptySelectionError(f"there is no case {case_id!r}", hint=hint)
        return row

    def own_row(self, case_id: str) -> CaseRow:
        """A case that may be changed: not a bundled one. Raises UsageError."""
        row = self.row(case_id)
        if row.bundled:
            raise UsageError(
                f"case {case_id!r} came with jw-eval and serves demonstrations only",
                hint=f"jw-eval cases show {case_id} --format yaml > mine.yaml; give it another id,"
                " and add it with jw-eval cases add --file mine.yaml",
            )
        return row

    def path_of(self, row: CaseRow) -> Path | None:
        """The case's file in a configured folder, if it has one."""
        found = (Path(path) for path in self._files.get(row.key, ()))
        return next((path for path in found if self.folder_of(path) and path.exists()), None)

    @cached_property
    def _files(self) -> dict[int, list[str]]:
        """Files by case, as the sync left them: asked once, also where all cases are exported."""
        return files_by_case(self.conn)

    def spelt_otherwise(self, case_id: str) -> str | None:
        """The id of a case, archived or not, that only upper and lower case tell from a new one."""
        return self._ids.get(case_id.lower())

    def remember_id(self, case_id: str) -> None:
        """Let `spelt_otherwise` know a case that was just stored."""
        self._ids[case_id.lower()] = case_id

    @cached_property
    def _ids(self) -> dict[str, str]:
        """Ids by their lower case: asked once, also where thousands of cases are imported."""
        return {case_id.lower(): case_id for case_id in taken_ids(self.conn)}

    def known_hash(self, path: Path) -> str:
        """Content address of a file in a configured folder, as the sync saw it; else empty."""
        return synced_hash(self.conn, path.as_posix())

    def folder_of(self, path: Path) -> Path | None:
        """The configured folder that a file lies in, if any."""
        return next((folder for folder in self.folders if path.is_relative_to(folder)), None)


@contextmanager
def opened(config: Config, *, demonstration: bool = False) -> Iterator[Registry]:
    """The registry, for one command. `demonstration`: with the bundled cases."""
    with writing(config.database) as conn:
        synced = sync_workspace(conn, config, demonstration=demonstration)
        yield Registry(conn, config, synced)

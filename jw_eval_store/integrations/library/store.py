"""`Store`: the database of cases and results, to be read from Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from jw_eval_store.config import Config, load_config
from jw_eval_store.domain.settings import Settings

if TYPE_CHECKING:
    from jw_eval_store.domain.histories import Explanation, RunInfo, TrendPoint
    from jw_eval_store.domain.reports import Comparison, SuiteReport
    from jw_eval_store.store.sqlquery import Scalar


class Store:
    """One database file; without a path, that of the project in the current folder.

    Nothing here writes. Raises InfrastructureError where the file is missing, older or newer.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        if path is None:
            self.config = load_config()
        else:
            file = Path(path).absolute()
            self.config = Config(Settings(db=str(file)), sources={}, root=file.parent)

    @property
    def path(self) -> Path:
        """The file, absolute."""
        return self.config.database

    def query(
        self, sql: str, *, limit: int | None = None, seconds: float = 30.0, **values: Scalar
    ) -> list[dict[str, Any]]:
        """The rows of one SELECT, by column; `values` are those of its `:names`.

        The views (`v_result`, `v_trend`, ...) are described in docs/schema.md. Raises UsageError
        for a wrong statement, for one that writes, and for one that takes longer than `seconds`.
        """
        from jw_eval_store.store.sqlquery import query

        found = query(self.path, sql, values, row_limit=limit, seconds=seconds)
        return [dict(zip(found.columns, row, strict=True)) for row in found.rows]

    def runs(self, limit: int = 20) -> list[RunInfo]:
        """The newest runs first."""
        from jw_eval_store.runs.history import list_runs

        return list_runs(self.config, limit=limit)

    def report(self, run: str = "last") -> SuiteReport:
        """A run as it was reported: its ULID, a beginning of it, or `last`."""
        from jw_eval_store.runs.reporting import show_run

        return show_run(self.config, run)

    def diff(self, before: str, after: str = "last") -> Comparison:
        """What differs from one run, baseline or JSON report to another, and why."""
        from jw_eval_store.runs.diffing import diff_runs

        return diff_runs(self.config, before, after)

    def explain(self, case: str, run: str | None = None) -> Explanation:
        """One verdict taken apart: what went in, what was asked, what came out."""
        from jw_eval_store.runs.explaining import explain

        return explain(self.config, case, run)

    def trend(
        self,
        agent: str | None = None,
        layer: str | None = None,
        language: str | None = None,
        *,
        by: Literal["run", "day", "revision"] = "run",
        last: int = 30,
        bundled: bool = False,
    ) -> list[TrendPoint]:
        """How the share of passes moved, oldest first, with marks where the ruler changed."""
        from jw_eval_store.runs.filters import one_language, one_layer
        from jw_eval_store.runs.history import TrendRequest, trend

        known = (agent, one_layer(layer), one_language(language))
        return trend(TrendRequest(*known, by=by, last=last, bundled=bundled), self.config)

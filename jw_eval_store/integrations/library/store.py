"""`Store`: the database of cases and results, to be read from Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from jw_eval_store.config import Config, load_config
from jw_eval_store.domain.settings import Settings
from jw_eval_store.integrations.library import arguments

if TYPE_CHECKING:
    from jw_eval_store.domain.histories import Explanation, RunInfo, TrendPoint
    from jw_eval_store.domain.reports import Comparison, SuiteReport
    from jw_eval_store.store.sqlquery import Scalar

Point = Literal["run", "day", "revision"]
"""What a point of a trend stands for."""


class Store:
    """One database file; without a path, that of the project in the current folder.

    Nothing here writes. Raises InfrastructureError where the file is missing, older or newer, and
    UsageError for an argument that is not of the kind that its signature names.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        arguments.a_path("path", path, none=True)
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

        arguments.a_text("sql", sql)
        arguments.a_number("limit", limit, none=True, least=-arguments.LARGEST)
        arguments.a_duration("seconds", seconds)
        for name, value in values.items():
            arguments.a_scalar(f":{name}", value)
        found = query(self.path, sql, values, row_limit=limit, seconds=seconds)
        return [dict(zip(found.columns, row, strict=True)) for row in found.rows]

    def runs(self, limit: int = 20) -> list[RunInfo]:
        """The newest runs first."""
        from jw_eval_store.runs.history import list_runs

        arguments.a_number("limit", limit)
        return list_runs(self.config, limit=limit)

    def report(self, run: str = "last") -> SuiteReport:
        """A run as it was reported: its ULID, a beginning of it, or `last`."""
        from jw_eval_store.runs.reporting import show_run

        arguments.a_text("run", run)
        return show_run(self.config, run)

    def diff(self, before: str, after: str = "last") -> Comparison:
        """What differs from one run, baseline or JSON report to another, and why."""
        from jw_eval_store.runs.diffing import diff_runs

        arguments.a_text("before", before)
        arguments.a_text("after", after)
        return diff_runs(self.config, before, after)

    def explain(self, case: str, run: str | None = None) -> Explanation:
        """One verdict taken apart: what went in, what was asked, what came out."""
        from jw_eval_store.runs.explaining import explain

        arguments.a_text("case", case)
        arguments.a_text("run", run, none=True)
        return explain(self.config, case, run)

    def trend(
        self,
        agent: str | None = None,
        layer: str | None = None,
        language: str | None = None,
        *,
        by: Point = "run",
        last: int = 30,
        bundled: bool = False,
    ) -> list[TrendPoint]:
        """How the share of passes moved, oldest first, with marks where the ruler changed."""
        from jw_eval_store.runs.filters import one_language, one_layer
        from jw_eval_store.runs.history import TrendRequest, trend

        arguments.a_text("agent", agent, none=True)
        arguments.a_text("language", language, none=True)
        arguments.one_of("by", by, get_args(Point))
        arguments.a_number("last", last)
        arguments.a_flag("bundled", bundled)
        known = (agent, one_layer(layer), one_language(language))
        return trend(TrendRequest(*known, by=by, last=last, bundled=bundled), self.config)

"""MCP server: language model clients run the suite, and ask what its results say.

Imports the official SDK (extra `mcp`); the command that starts it says so where it is missing.
"""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import Future
from typing import Any, Literal

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import ToolAnnotations

from jw_eval_store.integrations.library.suite import Progress, Suite
from jw_eval_store.reports.listing import json_text
from jw_eval_store.text.plurals import plural

Transport = Literal["stdio", "streamable-http"]
Filter = dict[str, str | list[str]]

INSTRUCTIONS = """\
Golden cases of agents that answer Bible questions with citations, and the results of judging them.
Layers: 1 structure of the answer, 2 citations, 3 meaning (may need a model). A verdict is pass,
fail, or error: could not be decided, which is neither. Start with list_cases or run_eval_suite;
explain says why a case got its verdict; query reads the database (views v_case, v_result,
v_run_summary, v_trend, ...)."""

_SECONDS_BETWEEN_REPORTS = 0.1
_READS = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
_RUNS = ToolAnnotations(readOnlyHint=False, destructiveHint=False)


class EvalTools:
    """The tools. Each call reads the configuration anew, so that edits hold at once."""

    def __init__(self, db: str | None = None, *, bundled: bool = False) -> None:
        self._db = db
        self._bundled = bundled

    @property
    def _suite(self) -> Suite:
        return Suite(db=self._db, bundled=self._bundled)

    async def run_eval_suite(
        self,
        context: Context[Any, Any, Any],
        layers: list[int] = [1],  # noqa: B006  # the specification's default, never changed
        filter: Filter | None = None,
        only_problems: bool = False,
    ) -> dict[str, Any]:
        """Judge golden cases, store every verdict, and return the SuiteReport.

        `filter` narrows the cases by agent, language, topic, tag or id. `only_problems` leaves the
        cases that passed out of `results`; `summary` and `gate` count them all the same.
        """
        told = _Reports(context)
        report = await self._suite.run_async(layers, filter, progress=told.progress)
        await told.delivered()
        dumped = _plain(report)
        if only_problems:
            dumped["results"] = [r for r in dumped["results"] if r["verdict"] != "pass"]
        return dumped

    def list_cases(self, filter: Filter | None = None) -> list[dict[str, Any]]:
        """List the golden cases, all or those that `filter` means."""
        found = self._suite.cases(filter).cases
        keys = ("case_id", "agent", "layer", "language", "topic")
        return [{key: getattr(row, key) for key in keys} for row in found]

    def show_case(self, case_id: str) -> dict[str, Any]:
        """Show a golden case: its YAML, revision, and file."""
        from jw_eval_store.runs.registry.showing import show_case

        shown = show_case(self._suite.config, case_id, demonstration=self._bundled)
        path = None if shown.path is None else str(shown.path)
        return {"case_id": case_id, "revision": shown.number, "path": path, "yaml": shown.source}

    def coverage(self, agents: list[str] | None = None) -> dict[str, Any]:
        """Say which golden cases the merge policy asks for, and which are missing."""
        report = self._suite.coverage(agents or ())
        return {"ok": report.ok, **_plain(report)}

    def diff(self, before: str, after: str = "last") -> dict[str, Any]:
        """Compare two runs, baselines or report files, case by case, with the causes."""
        return _plain(self._suite.store.diff(before, after))

    def explain(self, case_id: str, run: str | None = None) -> dict[str, Any]:
        """Say why a case got its verdict: reasons, inputs, the judge's steps, the answer."""
        return _plain(self._suite.store.explain(case_id, run))

    def query(self, sql: str, limit: int = 100) -> list[dict[str, Any]]:
        """Ask the database in SQL, read-only: one SELECT over the views."""
        return self._suite.store.query(sql, limit=limit)


def _plain(value: object) -> dict[str, Any]:
    """The same JSON as the commands print."""
    found: dict[str, Any] = json.loads(json_text(value))
    return found


class _Reports:
    """Progress on its way from the run's thread to the client, a few times a second."""

    def __init__(self, context: Context[Any, Any, Any]) -> None:
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._last = 0.0
        self._sent: Future[None] | None = None

    @property
    def progress(self) -> Progress:
        """What the run calls."""
        return self._report

    def _report(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done < total and now - self._last < _SECONDS_BETWEEN_REPORTS:
            return
        self._last = now
        report = self._context.report_progress(
            done, total, f"{done} of {plural(total, 'case')} judged"
        )
        self._sent = asyncio.run_coroutine_threadsafe(report, self._loop)

    async def delivered(self) -> None:
        """Wait until the last report is out, so that none comes after the result."""
        if self._sent is not None:
            await asyncio.wrap_future(self._sent)


def make_server(db: str | None = None, *, bundled: bool = False, port: int = 8000) -> FastMCP[None]:
    """The server with its tools; over HTTP it listens on this machine only."""
    server: FastMCP[None] = FastMCP(
        "jw-eval", instructions=INSTRUCTIONS, host="127.0.0.1", port=port, log_level="WARNING"
    )
    tools = EvalTools(db, bundled=bundled)
    server.add_tool(tools.run_eval_suite, annotations=_RUNS)
    for tool in (
        tools.list_cases,
        tools.show_case,
        tools.coverage,
        tools.diff,
        tools.explain,
        tools.query,
    ):
        server.add_tool(tool, annotations=_READS)
    return server


def serve(
    transport: Transport, db: str | None = None, *, bundled: bool = False, port: int = 8000
) -> None:
    """Serve until the client goes or the process is ended."""
    make_server(db, bundled=bundled, port=port).run(transport)

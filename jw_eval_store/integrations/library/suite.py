"""`Suite`: the golden cases of a project, and runs of them, from Python."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jw_eval_store.config import Config, load_config
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.integrations.library import arguments
from jw_eval_store.runs.filters import parse_layers, select_by
from jw_eval_store.runs.given import Given, GivenAgent, GivenJudge
from jw_eval_store.runs.request import DEFAULT_LAYERS, RunRequest

if TYPE_CHECKING:
    from jw_eval_store.domain.coverage import CoverageReport
    from jw_eval_store.domain.reports import SuiteReport
    from jw_eval_store.integrations.library.store import Store
    from jw_eval_store.judges.embedders.interface import Embedder
    from jw_eval_store.runs.registry.showing import CaseList

Progress = Callable[[int, int], None]
"""Called with (done, total) as verdicts come."""

Filters = Mapping[str, str | Iterable[str]]
"""`agent`, `language`, `topic`, `tag` or `id` to a value or several, as `--filter` takes them."""


class Suite:
    """The golden cases of a project, and what judges them.

    `project` is a folder with (or below one with) a configuration; without one it is the current
    folder. `bundled` judges the cases that came with jw-eval by its sample agents. `agents`,
    `judge` and `embedder` are used instead of the configured ones: an agent is a function,
    asynchronous or not, that takes a case's input as keywords; a judge is an `LlmClient`, or a
    function from the prompt to the reply's text.
    """

    def __init__(
        self,
        project: str | Path | None = None,
        *,
        db: str | Path | None = None,
        bundled: bool = False,
        agents: Mapping[str, GivenAgent] | None = None,
        judge: GivenJudge | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        arguments.a_path("project", project, none=True)
        arguments.a_path("db", db, none=True)
        arguments.a_flag("bundled", bundled)
        arguments.a_mapping("agents", agents or {})
        arguments.able("judge", judge, "ask", "identity", function=True)
        arguments.able("embedder", embedder, "identity", "embed")
        folder = None if project is None else Path(project)
        self.config: Config = load_config(folder, {"db": None if db is None else str(db)})
        self.bundled = bundled
        self.given = Given(agents or {}, judge, embedder)

    @property
    def store(self) -> Store:
        """The database that the runs are kept in."""
        from jw_eval_store.integrations.library.store import Store

        return Store(self.config.database)

    def cases(self, filters: Filters | None = None) -> CaseList:
        """The cases that filters mean, all without any. Raises EmptySelectionError for none."""
        from jw_eval_store.runs.registry.showing import list_cases

        chosen = selection(("l1", "l2", "l3"), filters)
        return list_cases(self.config, chosen, demonstration=self.bundled)

    def run(
        self,
        layers: Iterable[int | str] = DEFAULT_LAYERS,
        filters: Filters | None = None,
        *,
        since: str | None = None,
        baseline: str | None = None,
        repeat: int = 1,
        jobs: int | None = None,
        progress: Progress | None = None,
    ) -> SuiteReport:
        """Judge the selected cases, store every verdict, and report, as `jw-eval run` does.

        What an agent or a judge does wrong is a result, never an exception. Raises
        EmptySelectionError where nothing is selected, UsageError for a wrong request,
        InfrastructureError where the database can't be used.
        """
        from jw_eval_store.runs.suite import Hooks, run_suite

        arguments.a_text("since", since, none=True)
        arguments.a_text("baseline", baseline, none=True)
        arguments.a_number("repeat", repeat)
        arguments.a_number("jobs", jobs, none=True)
        arguments.able("progress", progress, function=True)
        request = RunRequest(
            selection=selection(layers, filters),
            layers_asked=layers is not DEFAULT_LAYERS,
            bundled=self.bundled,
            since=since,
            baseline=baseline,
            repeat=repeat,
            jobs=jobs,
            given=self.given,
        )
        return run_suite(request, self.config, Hooks(progress=progress or _ignore))

    async def run_async(
        self,
        layers: Iterable[int | str] = DEFAULT_LAYERS,
        filters: Filters | None = None,
        *,
        since: str | None = None,
        progress: Progress | None = None,
    ) -> SuiteReport:
        """As `run`, without holding up the event loop; `progress` is called in another thread.

        Cancelling the task ends the run after the cases in hand; it can be resumed.
        """
        cancelled = threading.Event()

        def watched(done: int, total: int) -> None:
            if cancelled.is_set():
                raise InterruptedError("the run was cancelled")
            (progress or _ignore)(done, total)

        run = asyncio.to_thread(self.run, layers, filters, since=since, progress=watched)
        try:
            return await run
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def coverage(self, agents: Iterable[str] = (), new_since: str | None = None) -> CoverageReport:
        """What the policy asks of the registry, and what is there."""
        from jw_eval_store.runs.coverage import CoverageRequest, coverage

        arguments.a_text("new_since", new_since, none=True)
        named = tuple(arguments.listed("agents", agents))
        for agent in named:
            arguments.a_text("an agent", agent)
        return coverage(CoverageRequest(named, new_since, self.bundled), self.config)


def selection(layers: Iterable[int | str], filters: Filters | None) -> Selection:
    """The selection of layers and filters. Raises UsageError, with the nearest name.

    A filter without a value is refused: it must not select everything.
    """
    arguments.a_mapping("filters", filters or {})
    named = {
        key: arguments.listed(f"filter {key!r}", values) for key, values in (filters or {}).items()
    }
    for key, value in ((key, value) for key, values in named.items() for value in values):
        arguments.a_text(f"filter {key!r}", value)
    if bare := next((key for key, values in named.items() if not values), None):
        raise UsageError(f"filter {bare!r} names nothing", hint="give it a value, or leave it out")
    pairs = [(key, value) for key, values in named.items() for value in values]
    return select_by(pairs, Selection(layers=parse_layers(arguments.listed("layers", layers))))


def _ignore(done: int, total: int) -> None:
    """Nobody wants to hear of progress."""

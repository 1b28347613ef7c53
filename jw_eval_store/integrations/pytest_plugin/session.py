"""A test session with golden cases: collects them, and makes their verdicts one run.

With pytest-xdist every worker judges its share and stores it in the run that the controller named;
the controller finishes the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple
from typing import Any

import pytest

from jw_eval_store.config import Config, load_config
from jw_eval_store.domain.errors import JwEvalError
from jw_eval_store.domain.reports import InvalidFile, SuiteReport
from jw_eval_store.integrations.pytest_plugin.items import CaseItem, GoldenCases
from jw_eval_store.reports.wording import headline
from jw_eval_store.runs.given import Given
from jw_eval_store.runs.registry.showing import CaseList, list_cases
from jw_eval_store.runs.stepwise import RunTicket, Steps, finish_steps, open_steps


class GoldenSession:
    """The hooks of one session. Raises pytest.UsageError for what keeps cases from being found."""

    def __init__(self, pytest_config: pytest.Config) -> None:
        self.bundled = bool(pytest_config.option.jw_eval_bundled)
        self.project: Config = _translated(_load, pytest_config)
        self.case_ids: list[str] = []
        self.refused: Sequence[InvalidFile] = ()
        self.report: SuiteReport | None = None
        told: dict[str, Any] | None = getattr(pytest_config, "workerinput", None)
        self.is_worker = told is not None
        self.ticket = RunTicket(*told["jw_eval_ticket"]) if told else RunTicket.drawn()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist which run its verdicts belong to."""
        node.workerinput["jw_eval_ticket"] = astuple(self.ticket)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add the golden cases, before `-k`, `-m` and `--lf` choose among all items."""
        found = _translated(self._listed)
        self.refused = found.invalid
        items += session.genitems(GoldenCases.of(session, found))

    def _listed(self) -> CaseList:
        return list_cases(self.project, demonstration=self.bundled)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Remember which cases are left: the run consists of these."""
        self.case_ids = [item.case_id for item in session.items if isinstance(item, CaseItem)]

    def opened(self, given: Given) -> AbstractContextManager[Steps]:
        """The run, opened for this process."""
        return open_steps(
            self.project,
            self.case_ids,
            self.ticket,
            given,
            bundled=self.bundled,
            refused=self.refused,
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Iterator[None]:
        """Finish the run once all workers are done; where it is invalid, no session passes."""
        yield
        if not self.is_worker and self.project.database.exists():
            self.report = finish_steps(self.project, self.ticket)
        invalid = self.report is not None and self.report.gate.verdict == "invalid"
        if invalid and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name the run, so that people can look into it."""
        if self.report is not None:
            terminalreporter.section("jw-eval", sep="-")
            terminalreporter.line(headline(self.report))
            terminalreporter.line(f"run {self.report.run} in {self.project.database}")


def _load(config: pytest.Config) -> Config:
    return load_config(config.rootpath, {"db": config.option.jw_eval_db})


def _translated(function: Any, *arguments: Any) -> Any:
    """The function's result; our errors become pytest's usage errors, so nothing looks green."""
    try:
        return function(*arguments)
    except JwEvalError as error:
        raise pytest.UsageError(f"jw-eval: {error}") from error

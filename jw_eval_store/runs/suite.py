"""Run the suite: open a run, execute it, close it. The product's main use-case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jw_eval_store.config import Config
from jw_eval_store.domain.reports import SuiteReport
from jw_eval_store.runs.closing import close_session
from jw_eval_store.runs.executing import Execution, Progress
from jw_eval_store.runs.interrupt import Interrupt
from jw_eval_store.runs.judging import Tools
from jw_eval_store.runs.opening import Session, jobs_of, open_session
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.store.connect import writing


@dataclass(frozen=True)
class Hooks:
    """What the caller wants to hear: progress (done, total), and that an interrupt was taken in."""

    progress: Progress = lambda done, total: None
    interrupted: Callable[[], None] = lambda: None
    planned: Callable[[int, int], None] = lambda stale, reused: None


def run_suite(
    request: RunRequest, config: Config, hooks: Hooks | None = None, *, all_results: bool = True
) -> SuiteReport:
    """Judge the selected cases, store every verdict, and report.

    `all_results` false leaves passes out of the report's results, which is quicker on large suites.
    Raises EmptySelectionError where nothing is selected, UsageError for a wrong request,
    InfrastructureError where the database can't be used. What an agent or a judge does wrong is a
    result, never an exception.
    """
    hooks = hooks or Hooks()
    with writing(config.database) as conn, open_session(conn, request, config) as session:
        hooks.planned(len(session.plan.stale), session.plan.reused)
        interrupt = Interrupt(hooks.interrupted)
        try:
            with interrupt:
                _execution(session, interrupt, hooks).execute(session.plan.stale)
        except BaseException:
            close_session(session, interrupted=True)
            raise
        return close_session(session, interrupted=interrupt.requested, all_results=all_results)


def _execution(session: Session, interrupt: Interrupt, hooks: Hooks) -> Execution:
    tools = Tools(
        agents=session.agents.by_name,
        limits=session.agents.settings,
        origins=session.policy.origins,
        semantic=session.semantic,
    )
    return Execution(
        conn=session.conn,
        run=session.run.key,
        tools=tools,
        labels=session.labels,
        setups=session.plan.parts,
        policy=session.policy,
        interrupt=interrupt,
        progress=hooks.progress,
        jobs=jobs_of(session.request, session.config),
        fail_fast=session.request.fail_fast,
        repeat=session.request.repeat,
    )

"""Run the suite: sync, select, plan, execute, gate, report. The product's main use-case."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from jw_eval_store.config import Config
from jw_eval_store.domain.policies import Policy
from jw_eval_store.domain.reports import CaseReport, Comparison, SuiteReport
from jw_eval_store.runs import git
from jw_eval_store.runs.agents import Agents, open_agents
from jw_eval_store.runs.baselines import Baseline, baseline_results
from jw_eval_store.runs.comparing import compare
from jw_eval_store.runs.differing import describer
from jw_eval_store.runs.executing import Execution, Progress
from jw_eval_store.runs.explaining_plan import reasons_to_run
from jw_eval_store.runs.gate import judge_run
from jw_eval_store.runs.interrupt import Interrupt
from jw_eval_store.runs.judging import Tools
from jw_eval_store.runs.labels import Labels
from jw_eval_store.runs.planning import Plan, plan_run
from jw_eval_store.runs.policies import load_policy, with_overrides
from jw_eval_store.runs.recording_files import take_recordings
from jw_eval_store.runs.reporting import case_reports, suite_report
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.resuming import resumable, resumed_request, selection_of
from jw_eval_store.runs.selecting import check_bars, select_for_run
from jw_eval_store.runs.sharding import is_empty_shard, shard_notice, take_shard
from jw_eval_store.runs.syncing import SyncReport, refused_files_first
from jw_eval_store.runs.workspace import sync_workspace
from jw_eval_store.store.connect import Connection, transaction, writing
from jw_eval_store.store.planning import link_planned
from jw_eval_store.store.policies import put_policy
from jw_eval_store.store.results import counts_of
from jw_eval_store.store.runs import (
    RunRow,
    end_run,
    mark_dead_runs,
    resume_run,
    run_by_key,
    start_run,
    write_rollup,
)
from jw_eval_store.store.selected import fill_run, selected_values

if TYPE_CHECKING:
    from jw_eval_store.runs.semantic import Semantic


@dataclass(frozen=True)
class Hooks:
    """What the caller wants to hear: progress (done, total), and that an interrupt was taken in."""

    progress: Progress = lambda done, total: None
    interrupted: Callable[[], None] = lambda: None
    planned: Callable[[int, int], None] = lambda stale, reused: None


@dataclass(frozen=True)
class _Session:
    """A started run with everything it works with."""

    conn: Connection
    config: Config
    request: RunRequest
    policy: Policy
    run: RunRow
    plan: Plan
    agents: Agents
    labels: Labels
    semantic: Semantic | None
    synced: SyncReport
    baseline: Baseline | None
    why: Mapping[int, str]


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
    with writing(config.database) as conn, _session(conn, request, config) as session:
        hooks.planned(len(session.plan.stale), session.plan.reused)
        interrupt = Interrupt(hooks.interrupted)
        try:
            with interrupt:
                _execution(session, interrupt, hooks).execute(session.plan.stale)
        except BaseException:
            _close(session, interrupted=True)
            raise
        return _close(session, interrupted=interrupt.requested, all_results=all_results)


@contextmanager
def _session(conn: Connection, request: RunRequest, config: Config) -> Iterator[_Session]:
    request = resumed_request(conn, request)
    policy = with_overrides(load_policy(config, demonstration=request.bundled), request)
    baseline = baseline_results(conn, request.baseline) if request.baseline else None
    synced = sync_workspace(conn, config, demonstration=request.bundled)
    if request.recordings:
        take_recordings(conn, config, request.recordings)
    with transaction(conn):
        mark_dead_runs(conn)
    with refused_files_first(synced):
        resumed, shard = _select(conn, request, config)
    with ExitStack() as stack:
        names = sorted(selected_values(conn, "agent"))
        given, bundled = request.given, request.bundled
        agents = stack.enter_context(
            open_agents(config, names, demonstration=bundled, given=given.agents)
        )
        semantic = None
        if "l3" in selected_values(conn, "layer"):
            from jw_eval_store.runs.semantic import open_semantic

            opened = open_semantic(conn, config, fresh=request.fresh, given=given)
            semantic = stack.enter_context(opened)
        labels = Labels(agents.by_name)
        labels.look_up(_jobs(request, config))
        with transaction(conn):
            going_on = resumed.key if resumed else None
            plan = plan_run(conn, request, config, labels, policy, semantic, going_on)
            run = resumed or _start(conn, request, config, policy, shard)
            if resumed:
                resume_run(conn, resumed)
            else:
                link_planned(conn, run.key)
            why = _why(conn, plan, request)
        yield _Session(
            conn,
            config,
            request,
            policy,
            run,
            plan,
            agents,
            labels,
            semantic,
            synced,
            baseline,
            why,
        )


def _select(
    conn: Connection, request: RunRequest, config: Config
) -> tuple[RunRow | None, Mapping[str, Any]]:
    """Select the cases to judge; the run they belong to, if one is resumed, and their shard."""
    if request.resume:
        resumed = resumable(conn, request.resume)
        fill_run(conn, resumed.key)
        return resumed, {}
    both = config.settings.samples and not request.bundled
    select_for_run(
        conn,
        request.selection,
        layers_asked=request.layers_asked,
        bundled=None if both else request.bundled,
    )
    check_bars(conn, {*request.min_pass, *request.min_decided})
    if request.shard is None:
        return None, {}
    return None, {"shard": take_shard(conn, request.selection, request.shard)}


def _why(conn: Connection, plan: Plan, request: RunRequest) -> dict[int, str]:
    if not request.explain:
        return {}
    return reasons_to_run(conn, plan.stale, reusing=request.since is not None)


def _start(
    conn: Connection,
    request: RunRequest,
    config: Config,
    policy: Policy,
    shard: Mapping[str, Any],
) -> RunRow:
    selection = {
        "selection": request.selection.model_dump(mode="json"),
        "since": request.since,
        "repeat": request.repeat,
        **shard,
    }
    return start_run(
        conn,
        selection,
        bundled=request.bundled,
        git=git.head(config.root),
        tool_version=version("jw-eval-store"),
        policy=put_policy(conn, policy),
    )


def _jobs(request: RunRequest, config: Config) -> int:
    return request.jobs or config.settings.jobs or os.cpu_count() or 1


def _execution(session: _Session, interrupt: Interrupt, hooks: Hooks) -> Execution:
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
        jobs=_jobs(session.request, session.config),
        fail_fast=session.request.fail_fast,
        repeat=session.request.repeat,
    )


def _close(session: _Session, *, interrupted: bool, all_results: bool = True) -> SuiteReport:
    """Gate and report; the run's row says the same as the report."""
    conn, run = session.conn, session.run
    with transaction(conn):
        write_rollup(conn, run.key)
    results = case_reports(conn, run, but_passes=not all_results, why=session.why)
    comparison = _comparison(session, results, all_results)
    gate = judge_run(
        counts_of(conn, run.key),
        session.policy,
        invalid_files=len(session.synced.invalid),
        interrupted=interrupted,
        comparison=comparison,
        empty_shard=is_empty_shard(run.selection),
    )
    with transaction(conn):
        end_run(
            conn,
            run.key,
            status="interrupted" if interrupted else "finished",
            gate=gate.verdict,
            exit_code=gate.exit_code,
            notices=_notices(session) | {"gate": gate.model_dump(mode="json")},
        )
    conn.execute("PRAGMA optimize")
    return suite_report(conn, run_by_key(conn, run.key), gate, results, comparison=comparison)


def _comparison(
    session: _Session, results: tuple[CaseReport, ...], complete: bool
) -> Comparison | None:
    if session.baseline is None:
        return None
    after = results if complete else case_reports(session.conn, session.run)
    selection = selection_of(session.run)
    judged = {r.case_id for r in after}
    before = session.baseline.within(selection, judged)
    if "shard" in session.run.selection:  # what is missing is seen when shards are merged
        before = tuple(r for r in before if r.case_id in judged)
    name = f"run {session.run.ulid}"
    return compare(session.baseline.label, before, name, after, describer(session.conn))


def _notices(session: _Session) -> dict[str, Any]:
    from jw_eval_store.runs.noticing import run_notices

    semantic = session.semantic
    return {
        "invalid_files": [file.model_dump() for file in session.synced.invalid],
        "notices": [
            *shard_notice(session.run.selection),
            *session.config.notices,
            *session.synced.notices,
            *(semantic.notices if semantic else ()),
            *run_notices(session.conn, session.run.key, session.plan),
        ],
        "agents": session.agents.origins,
        "embedder": semantic.embedder_label if semantic else None,
        "judge": semantic.judge_label if semantic else None,
    }

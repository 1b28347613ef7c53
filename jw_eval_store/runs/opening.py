"""Open a run: sync, select, resolve agents and judges, plan, and start it in the store."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from jw_eval_store.config import Config
from jw_eval_store.domain.policies import Policy
from jw_eval_store.runs import git
from jw_eval_store.runs.agents import Agents, open_agents
from jw_eval_store.runs.baselines import Baseline, baseline_results
from jw_eval_store.runs.explaining_plan import reasons_to_run
from jw_eval_store.runs.given import refuse_unasked
from jw_eval_store.runs.labels import Labels
from jw_eval_store.runs.planning import Plan, plan_run
from jw_eval_store.runs.policies import load_policy, with_overrides
from jw_eval_store.runs.recording_files import take_recordings
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.resuming import held_to, resumable, resumed_request
from jw_eval_store.runs.selecting import check_bars, select_for_run
from jw_eval_store.runs.sharding import take_shard
from jw_eval_store.runs.syncing import SyncReport, refused_files_first
from jw_eval_store.runs.workspace import sync_for_verdicts
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.planning import link_planned
from jw_eval_store.store.policies import put_policy
from jw_eval_store.store.runs import RunRow, mark_dead_runs, resume_run, start_run
from jw_eval_store.store.selected import fill_run, selected_values

if TYPE_CHECKING:
    from jw_eval_store.runs.semantic import Semantic


@dataclass(frozen=True)
class Session:
    """A started run with everything it works with. `why`: by case key, why it is asked."""

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


@contextmanager
def open_session(conn: Connection, request: RunRequest, config: Config) -> Iterator[Session]:
    """A started run; its agents and judges are closed at the end. Raises as `run_suite` does."""
    request = resumed_request(conn, request)
    policy = with_overrides(load_policy(config, demonstration=request.bundled), request)
    baseline = None if request.baseline is None else baseline_results(conn, request.baseline)
    synced = sync_for_verdicts(conn, config, demonstration=request.bundled)
    if request.recordings:
        take_recordings(conn, config, request.recordings)
    with transaction(conn):
        mark_dead_runs(conn)
    with refused_files_first(synced):
        resumed, shard = _select(conn, request, config)
    with ExitStack() as stack:
        names = sorted(selected_values(conn, "agent"))
        given, bundled = request.given, request.bundled
        refuse_unasked(conn, given.agents)
        agents = stack.enter_context(
            open_agents(config, names, demonstration=bundled, given=given.agents)
        )
        semantic = None
        if "l3" in selected_values(conn, "layer"):
            from jw_eval_store.runs.semantic import open_semantic

            opened = open_semantic(conn, config, fresh=request.fresh, given=given)
            semantic = stack.enter_context(opened)
        labels = Labels(agents.by_name)
        labels.look_up(jobs_of(request, config))
        with transaction(conn):
            going_on = resumed.key if resumed else None
            plan = plan_run(conn, request, config, labels, policy, semantic, going_on)
            run = resumed or _start(conn, request, config, policy, shard, baseline)
            if resumed:
                resume_run(conn, resumed)
            else:
                link_planned(conn, run.key)
            why = _why(conn, plan, request)
        yield Session(
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
        check_bars(conn, {*request.min_pass, *request.min_decided})
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
    baseline: Baseline | None,
) -> RunRow:
    selection = {
        "selection": request.selection.model_dump(mode="json"),
        "since": request.since,
        "repeat": request.repeat,
        **held_to(request, baseline),
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


def jobs_of(request: RunRequest, config: Config) -> int:
    """How many cases are asked at once: as asked, as configured, else one a processor."""
    return request.jobs or config.settings.jobs or os.cpu_count() or 1

"""Decide what a run may reuse: setups as they are now, against what earlier runs were made with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.policies import Policy
from jw_eval_store.runs.agents import Agents
from jw_eval_store.runs.changes import changed_inputs
from jw_eval_store.runs.planning import Plan, SetupKey, make_plan, reasons_to_run
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.semantic import Semantic
from jw_eval_store.runs.setups import setup_for
from jw_eval_store.runs.since import reusable_runs
from jw_eval_store.store.cases import CaseRow, load_cases
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.setups import SetupParts, setup_key


def plan_run(
    conn: Connection,
    rows: Sequence[CaseRow],
    request: RunRequest,
    config: Config,
    agents: Agents,
    policy: Policy,
    semantic: Semantic | None,
) -> Plan:
    """What to run and what to reuse; inside a transaction."""
    key_of = _keys(conn, rows)
    parts = {key: _setup(key, agents, policy, semantic) for key in dict.fromkeys(map(key_of, rows))}
    return make_plan(
        conn,
        rows,
        {key: setup_key(conn, found) for key, found in parts.items()},
        key_of,
        always_stale=[key for key, found in parts.items() if found.fingerprint is None],
        reuse_from=_reuse_from(conn, request, config),
    )


def _keys(conn: Connection, rows: Sequence[CaseRow]) -> Callable[[CaseRow], SetupKey]:
    """What tells setups apart. L3 cases are read, since each may want to be judged in its way."""
    revisions = [row.revision for row in rows if row.layer == "l3"]
    specs = {
        revision: case.judge.model_dump_json(exclude_defaults=True)
        for revision, case in load_cases(conn, revisions).items()
        if isinstance(case, SemanticCase)
    }
    return lambda row: (row.agent, row.layer, specs.get(row.revision, ""))


def _setup(key: SetupKey, agents: Agents, policy: Policy, semantic: Semantic | None) -> SetupParts:
    agent, layer, spec = key
    identity = None
    if spec and semantic:
        identity = semantic.identity_for(JudgeSpec.model_validate_json(spec))
    return setup_for(agents.by_name[agent], layer, policy, identity)


def _reuse_from(
    conn: Connection, request: RunRequest, config: Config
) -> Collection[int] | bool | None:
    if request.since is None or request.repeat > 1:
        return False
    return reusable_runs(conn, request.since, config.root)


def why_run(conn: Connection, plan: Plan, request: RunRequest) -> dict[int, str]:
    """By case key: why each stale case was asked again (`--explain`)."""
    return reasons_to_run(conn, plan.stale, changed_inputs(conn), reusing=request.since is not None)

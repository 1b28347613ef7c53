"""The merge policy: whether every agent has the cases that policy.yaml requires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.coverage import CoverageReport, CoverageRow, RuleKind
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.policies import AgentCoverage, Policy
from jw_eval_store.runs.counted import counted_cases
from jw_eval_store.runs.new_cases import new_case_rows
from jw_eval_store.runs.policies import load_policy
from jw_eval_store.runs.workspace import sync_workspace
from jw_eval_store.store.connect import Connection, transaction, writing
from jw_eval_store.store.coverage import CoveredCase, oldest_evidence
from jw_eval_store.store.policies import put_policy
from jw_eval_store.text.nearest import did_you_mean


@dataclass(frozen=True)
class CoverageRequest:
    """Which agents (none: all of the policy), and whether new cases since a revision are asked."""

    agents: tuple[str, ...] = ()
    new_since: str | None = None
    bundled: bool = False


def coverage(request: CoverageRequest, config: Config) -> CoverageReport:
    """Hold the registry, synced with its folders, against the policy.

    Raises UsageError for an agent that the policy does not name, and for a policy without rules:
    an empty check must not look like success.
    """
    policy = load_policy(config, demonstration=request.bundled)
    wanted = _wanted(policy, request)
    with writing(config.database) as conn:
        synced = sync_workspace(conn, config, demonstration=request.bundled)
        with transaction(conn):
            put_policy(conn, policy)
        cases, notes = counted_cases(conn, wanted, bundled=request.bundled)
        rows = [row for name in wanted for row in _rows(conn, name, policy, cases, request)]
        rows += new_case_rows(cases, policy, config, request.agents, request.new_since)
    notes += [f"{file.path}: {file.message}" for file in synced.invalid]
    return CoverageReport(rows=tuple(rows), notes=tuple(notes))


def _wanted(policy: Policy, request: CoverageRequest) -> Mapping[str, AgentCoverage]:
    for name in request.agents:
        if name not in policy.coverage:
            known = did_you_mean(name, policy.coverage)
            raise UsageError(
                f"the policy names no agent {name!r}",
                hint=known or "add it under `coverage:` in policy.yaml",
            )
    if not policy.coverage and request.new_since is None:
        raise UsageError(
            "the policy requires no coverage, so there is nothing to check",
            hint="add `coverage:` to policy.yaml (see jw-eval coverage --help)",
        )
    names = request.agents or tuple(policy.coverage)
    return {name: policy.coverage[name] for name in names}


def _rows(
    conn: Connection,
    agent: str,
    policy: Policy,
    cases: Sequence[CoveredCase],
    request: CoverageRequest,
) -> Iterator[CoverageRow]:
    wanted = policy.coverage[agent]
    own = [case for case in cases if case.agent == agent]
    for layer in LAYERS:
        if getattr(wanted, layer):
            yield _row(agent, "layer", layer, getattr(wanted, layer), own)
    named: tuple[tuple[RuleKind, tuple[str, ...]], ...] = (
        ("language", wanted.languages),
        ("topic", wanted.topics),
        ("required", wanted.required),
    )
    for kind, names in named:
        yield from (_row(agent, kind, name, 1, own) for name in names)
    yield from _freshness(conn, agent, policy, request)


_ATTRIBUTES = {"layer": "layer", "language": "language", "topic": "topic", "required": "case_id"}


def _row(
    agent: str, kind: RuleKind, what: str, minimum: int, cases: Sequence[CoveredCase]
) -> CoverageRow:
    found = [case for case in cases if getattr(case, _ATTRIBUTES[kind]) == what]
    return CoverageRow(
        agent=agent,
        kind=kind,
        what=what,
        required=minimum,
        present=len(found),
        passing=sum(case.last_verdict == "pass" for case in found),
        command=_command(agent, kind, what) if len(found) < minimum else "",
    )


def _command(agent: str, kind: RuleKind, what: str) -> str:
    base = f"jw-eval cases add --agent {agent}"
    extra = {
        "layer": f"--layer {what[1:]}",
        "language": f"--input language={what}",
        "topic": f"--topic {what}",
        "required": f"--id {what}",
    }
    return f"{base} {extra[kind]}"


def _freshness(
    conn: Connection, agent: str, policy: Policy, request: CoverageRequest
) -> Iterator[CoverageRow]:
    days = policy.freshness.evidence_days
    if days is None:
        return
    limit = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    pages = oldest_evidence(conn, agent, bundled=request.bundled)
    fresh = [key for key, at in pages if at is not None and at >= limit]
    if pages:
        yield CoverageRow(
            agent=agent,
            kind="evidence",
            what=f"not older than {days} days",
            required=len(pages),
            present=len(fresh),
            passing=len(fresh),
            command=f"jw-eval snapshots build --agent {agent} --all"
            if len(fresh) < len(pages)
            else "",
        )

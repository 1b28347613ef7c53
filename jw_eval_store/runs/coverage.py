"""The merge policy: whether every agent has the cases that policy.yaml requires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from jw_eval_store.config import Config
from jw_eval_store.domain.coverage import CoverageReport, CoverageRow, RuleKind
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.policies import AgentCoverage, Policy
from jw_eval_store.domain.vocabulary import LAYERS
from jw_eval_store.runs.counted import Counted, counted_cases
from jw_eval_store.runs.policies import load_policy
from jw_eval_store.store.connect import Connection, transaction, writing
from jw_eval_store.store.coverage import CoveredCase, evidence_ages, recording_ages
from jw_eval_store.store.policies import in_force, put_rules
from jw_eval_store.text.nearest import did_you_mean


@dataclass(frozen=True)
class CoverageRequest:
    """Which agents (none: all of the policy), and whether new cases since a revision are asked."""

    agents: tuple[str, ...] = ()
    new_since: str | None = None
    bundled: bool = False


def coverage(request: CoverageRequest, config: Config) -> CoverageReport:
    """Hold the registry, synced with its folders, against the policy.

    Raises UsageError for an agent that the policy does not name, and where the policy asks nothing:
    an empty check must not look like success.
    """
    policy = load_policy(config, demonstration=request.bundled)
    wanted = _wanted(policy, request)
    with writing(config.database) as conn:
        invalid = _sync(conn, config, request)
        if not in_force(conn, policy):
            with transaction(conn):
                put_rules(conn, policy)
        everyone = request.new_since is not None and not request.agents
        counted = counted_cases(conn, None if everyone else wanted, bundled=request.bundled)
        rows = [row for name in wanted for row in _rows(conn, name, policy, counted, request)]
        if request.new_since is not None:
            rows += _new_cases(counted, policy, config, request, request.new_since)
    if not rows:
        raise UsageError(
            f"the policy asks nothing of {', '.join(wanted)}, so there is nothing to check",
            hint="give the agent a number of cases, such as {l1: 3}, or leave it out",
        )
    notes = (*counted.notes, *invalid)
    return CoverageReport(rows=tuple(rows), notes=notes, refused=len(invalid))


def _sync(conn: Connection, config: Config, request: CoverageRequest) -> list[str]:
    """Bring registry and evidence up to date where folders say so. Returns what was refused."""
    settings = config.settings
    if not (request.bundled or settings.samples or settings.cases or settings.snapshots):
        return []
    from jw_eval_store.runs.workspace import sync_workspace

    synced = sync_workspace(conn, config, demonstration=request.bundled)
    return [f"{file.path}: {file.message}" for file in synced.invalid]


def _new_cases(
    counted: Counted, policy: Policy, config: Config, request: CoverageRequest, since: str
) -> list[CoverageRow]:
    from jw_eval_store.runs.new_cases import new_case_rows

    return new_case_rows(counted.distinct, policy, config, request.agents, since)


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
    conn: Connection, agent: str, policy: Policy, counted: Counted, request: CoverageRequest
) -> Iterator[CoverageRow]:
    wanted = policy.coverage[agent]
    own = [case for case in counted.distinct if case.agent == agent]
    clean = [case for case in counted.clean if case.agent == agent]
    for layer in LAYERS:
        if getattr(wanted, layer):
            yield _row(agent, "layer", layer, getattr(wanted, layer), own)
    yield from (_row(agent, "language", name, 1, own) for name in wanted.languages)
    yield from (_row(agent, "topic", name, 1, own) for name in wanted.topics)
    yield from (_row(agent, "required", name, 1, clean) for name in wanted.required)
    freshness = policy.freshness
    if freshness.evidence_days is not None:
        pages = evidence_ages(conn, agent, bundled=request.bundled)
        yield from _fresh(agent, "evidence", freshness.evidence_days, pages)
    if freshness.recording_days is not None:
        recorded = recording_ages(conn, agent, bundled=request.bundled)
        yield from _fresh(agent, "recording", freshness.recording_days, recorded)


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


CLOCK_DAYS = 1
"""How far clocks may be ahead. What is dated later is a mistake, and would be fresh for ever."""

_RENEW = {
    "evidence": "jw-eval snapshots build --agent {} --all",
    "recording": "jw-eval agents record --agent {}",
}


def _fresh(
    agent: str, kind: Literal["evidence", "recording"], days: int,
    ages: Sequence[tuple[str, str | None]],
) -> Iterator[CoverageRow]:  # fmt: skip
    """How many pages or recordings are young enough; no row where an agent has none."""
    now = datetime.now(UTC)
    oldest, newest = (now + timedelta(days=n) for n in (-days, CLOCK_DAYS))
    fresh = sum(at is not None and oldest.isoformat() <= at < newest.isoformat() for _, at in ages)
    if ages:
        yield CoverageRow(
            agent=agent,
            kind=kind,
            what=f"not older than {days} {'day' if days == 1 else 'days'}",
            required=len(ages),
            present=fresh,
            passing=fresh,
            command=_RENEW[kind].format(agent) if fresh < len(ages) else "",
        )

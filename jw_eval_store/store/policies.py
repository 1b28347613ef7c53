"""Policies in the store, and the coverage rules that views compare against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.domain.vocabulary import LAYERS
from jw_eval_store.store.connect import Connection, now
from jw_eval_store.store.rows import tuples

if TYPE_CHECKING:
    from jw_eval_store.domain.policies import Policy


def put_policy(conn: Connection, policy: Policy) -> int:
    """Key of a policy, stored once per content, and in force now; inside a transaction."""
    body = canonical_json(policy.model_dump(mode="json"))
    digest = content_hash(body)
    row = conn.execute("SELECT id FROM policy WHERE policy_hash = ?", (digest,)).fetchone()
    if row is None:
        sql = "INSERT INTO policy (policy_hash, body, created_at) VALUES (?, ?, ?)"
        key = int(conn.execute(sql, (digest, body, now())).lastrowid or 0)
    else:
        key = int(row[0])
    put_rules(conn, policy)
    return key


def in_force(conn: Connection, policy: Policy) -> bool:
    """Whether the views compare against just this policy's rules already."""
    rows = tuples(conn, "SELECT agent, kind, what, minimum FROM coverage_rule")
    return set(rows) == _all_rules(policy)


def policy_of_run(conn: Connection, run: int) -> Policy | None:
    """The policy that a run was held to; none where it names none."""
    from jw_eval_store.domain.policies import Policy

    sql = "SELECT p.body FROM run n JOIN policy p ON p.id = n.policy_id WHERE n.id = ?"
    row = conn.execute(sql, (run,)).fetchone()
    return Policy.model_validate_json(row[0]) if row else None


def put_rules(conn: Connection, policy: Policy) -> None:
    """Let the views compare against this policy's rules; inside a transaction."""
    conn.execute("DELETE FROM coverage_rule")
    sql = "INSERT INTO coverage_rule (agent, kind, what, minimum) VALUES (?, ?, ?, ?)"
    conn.executemany(sql, _all_rules(policy))


def _all_rules(policy: Policy) -> set[tuple[str, str, str, int]]:
    return {rule for agent in policy.coverage for rule in _rules(policy, agent)}


def _rules(policy: Policy, agent: str) -> Iterator[tuple[str, str, str, int]]:
    """(agent, kind, what, minimum): cases per layer, one of each language, topic and id."""
    wanted, freshness = policy.coverage[agent], policy.freshness
    for layer in LAYERS:
        if minimum := getattr(wanted, layer):
            yield agent, "layer", layer, minimum
    named = (("language", wanted.languages), ("topic", wanted.topics),
             ("required", wanted.required))  # fmt: skip
    for kind, names in named:
        yield from ((agent, kind, name, 1) for name in names)
    for kind, days in (("evidence", freshness.evidence_days),
                       ("recording", freshness.recording_days)):  # fmt: skip
        if days is not None:
            yield agent, kind, "", days

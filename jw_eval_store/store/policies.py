"""Policies in the store, and the coverage rules that views compare against."""

from __future__ import annotations

from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.domain.policies import Policy
from jw_eval_store.store.connect import Connection, now


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
    _put_rules(conn, policy)
    return key


def _put_rules(conn: Connection, policy: Policy) -> None:
    rules = [
        (agent, layer, language, getattr(wanted, layer))
        for agent, wanted in policy.coverage.items()
        for layer in LAYERS
        for language in (wanted.languages or ("*",))
        if getattr(wanted, layer)
    ]
    conn.execute("DELETE FROM coverage_rule")
    conn.executemany(
        "INSERT OR REPLACE INTO coverage_rule (agent, layer, language, minimum)"
        " VALUES (?, ?, ?, ?)",
        rules,
    )

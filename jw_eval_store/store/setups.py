"""What evaluations share: agent fingerprint, layer, embedder, judge, settings; stored once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.hashing import canonical_json, json_hash
from jw_eval_store.store.connect import Connection, now


@dataclass(frozen=True)
class StoredFingerprint:
    """An agent's fingerprint as stored: its natural key and its JSON detail."""

    agent: str
    fingerprint_hash: str
    origin: str
    detail: Mapping[str, Any]


@dataclass(frozen=True)
class Identity:
    """A judge or an embedder: the JSON that makes it what it is, and a label for people."""

    label: str
    body: Mapping[str, Any]

    @property
    def identity_hash(self) -> str:
        """Content address of the body."""
        return json_hash(dict(self.body))


@dataclass(frozen=True)
class SetupParts:
    """All that a setup names. A missing fingerprint means unknown: always stale."""

    agent: str
    layer: Layer
    layer_version: str
    fingerprint: StoredFingerprint | None
    embedder: Identity | None = None
    judge: Identity | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def inputs(self) -> dict[str, str]:
        """Natural keys of the parts, as reports carry them."""
        named = {
            "layer": self.layer_version,
            "agent": self.fingerprint.fingerprint_hash if self.fingerprint else "unknown",
            "embedder": self.embedder.identity_hash if self.embedder else "",
            "judge": self.judge.identity_hash if self.judge else "",
            "settings": json_hash(dict(self.settings)),
        }
        return {name: value for name, value in named.items() if value}

    @property
    def setup_hash(self) -> str:
        """Content address of the whole setup."""
        return json_hash([self.agent, self.layer, self.inputs()])


def setup_key(conn: Connection, parts: SetupParts) -> int:
    """Key of a setup, stored if new; inside a transaction."""
    found = _key(conn, "setup", "setup_hash", parts.setup_hash)
    if found is not None:
        return found
    return _insert(
        conn,
        "setup",
        setup_hash=parts.setup_hash,
        agent=parts.agent,
        layer=parts.layer,
        layer_version=parts.layer_version,
        agent_fingerprint_id=_fingerprint_key(conn, parts.fingerprint),
        embedder_id=_embedder_key(conn, parts.embedder),
        judge_id=_judge_key(conn, parts.judge),
        settings=canonical_json(dict(parts.settings)),
    )


def _fingerprint_key(conn: Connection, fingerprint: StoredFingerprint | None) -> int | None:
    if fingerprint is None:
        return None
    digest = fingerprint.fingerprint_hash
    return _key(conn, "agent_fingerprint", "fingerprint_hash", digest) or _insert(
        conn,
        "agent_fingerprint",
        fingerprint_hash=digest,
        agent=fingerprint.agent,
        origin=fingerprint.origin,
        detail=canonical_json(dict(fingerprint.detail)),
        created_at=now(),
    )


def _judge_key(conn: Connection, judge: Identity | None) -> int | None:
    if judge is None:
        return None
    return _key(conn, "judge", "identity_hash", judge.identity_hash) or _insert(
        conn,
        "judge",
        identity_hash=judge.identity_hash,
        label=judge.label,
        body=canonical_json(dict(judge.body)),
    )


def _embedder_key(conn: Connection, embedder: Identity | None) -> int | None:
    if embedder is None:
        return None
    body = dict(embedder.body)
    return _key(conn, "embedder", "identity_hash", embedder.identity_hash) or _insert(
        conn,
        "embedder",
        identity_hash=embedder.identity_hash,
        backend=body.get("backend", ""),
        model=body.get("model", ""),
        revision=body.get("revision", ""),
        dimension=body.get("dimension", 0),
        window=body.get("window"),
    )


def _key(conn: Connection, table: str, column: str, value: str) -> int | None:
    row = conn.execute(f"SELECT id FROM {table} WHERE {column} = ?", (value,)).fetchone()
    return int(row[0]) if row else None


def _insert(conn: Connection, table: str, **values: object) -> int:
    columns, marks = ", ".join(values), ", ".join("?" * len(values))
    sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
    return int(conn.execute(sql, tuple(values.values())).lastrowid or 0)


@dataclass(frozen=True)
class CrossEncoder:
    """What stood for a cross-encoder in a run.

    `rules` is the address of all that its vetoes follow from, none where it could not be had.
    """

    label: str
    rules: str | None


NO_CROSS_ENCODER = CrossEncoder("none", "none")


def cross_encoders_of(conn: Connection, run: int) -> list[CrossEncoder]:
    """Those of a run's setups of L3, each once; another runtime makes another one."""
    sql = """
        SELECT DISTINCT json_extract(s.settings, '$.entailment') AS entailment
        FROM run_result r JOIN evaluation e ON e.id = r.evaluation_id
        JOIN setup s ON s.id = e.setup_id WHERE r.run_id = ? AND s.layer = 'l3'
        ORDER BY entailment
    """
    return [_cross_encoder(body) for (body,) in conn.execute(sql, (run,))]


def _cross_encoder(body: str | None) -> CrossEncoder:
    if body is None:
        return NO_CROSS_ENCODER
    said = json.loads(body)
    if said.get("unavailable"):
        return CrossEncoder(f"{said['model']}, not to be had", None)
    return CrossEncoder(said["model"], json_hash({**said, "runtime": None}))

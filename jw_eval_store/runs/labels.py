"""Under which fingerprint an agent's verdicts stand, so that an edit elsewhere makes nothing stale.

An earlier fingerprint still stands for an agent where nothing has changed that its answers depended
on. It is given up as soon as the agent uses a file that did change since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from jw_eval_store.agents.host.files import file_hash
from jw_eval_store.agents.interface import Agent, AgentFingerprint
from jw_eval_store.agents.staleness import changes
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.evaluations import NewEvaluation, put_evaluations
from jw_eval_store.store.setups import SetupParts, StoredFingerprint, setup_key
from jw_eval_store.store.used_files import KnownFingerprint, put_used, recent_fingerprints


@dataclass
class Labels:
    """The fingerprints of a run's agents: as they are now, and as their verdicts are stored."""

    agents: Mapping[str, Agent]
    _seen: dict[str, AgentFingerprint | None] = field(default_factory=dict)
    _now: dict[str, AgentFingerprint | None] = field(default_factory=dict)
    _label: dict[str, AgentFingerprint] = field(default_factory=dict)
    _written: dict[str, frozenset[str]] = field(default_factory=dict)

    def look_up(self, jobs: int) -> None:
        """Ask all agents what they depend on, so many at once: each may have to start its host.

        Outside of any transaction, which would keep other writers waiting for that long.
        """
        with ThreadPoolExecutor(jobs, thread_name_prefix="fingerprint") as pool:
            found = pool.map(lambda agent: agent.fingerprint(), self.agents.values())
            self._seen = dict(zip(self.agents, found, strict=True))

    def of(self, conn: Connection, agent: str) -> StoredFingerprint | None:
        """The fingerprint under which this agent's verdicts hold; none: unknown, always stale."""
        if agent not in self._now:
            known_now = agent in self._seen
            now = self._seen[agent] if known_now else self.agents[agent].fingerprint()
            self._now[agent] = now
            if now is not None:
                known = recent_fingerprints(conn, agent)
                self._now[agent] = now = _with_outside(known, now)
                self._label[agent] = _still_holding(known, now)
        label = self._label.get(agent)
        return None if label is None else _stored(label)

    def put(
        self, conn: Connection, batch: Sequence[NewEvaluation], setups: Mapping[int, SetupParts]
    ) -> list[int]:
        """Store verdicts with what their agents used; inside a transaction. Gives their keys."""
        agents = {parts.agent for e in batch if (parts := setups.get(e.setup)) is not None}
        moved = {agent for agent in agents if self._must_move(agent)}
        kept = [self._moved(conn, e, setups) if _agent(e, setups) in moved else e for e in batch]
        self._put_used(conn, agents)
        return put_evaluations(conn, kept)

    def _must_move(self, agent: str) -> bool:
        """Whether the agent stands under its newest fingerprint, and no longer the planned one."""
        now, label = self._now.get(agent), self._label.get(agent)
        if now is None or label is None:
            return False
        if label != now and changes(label, now, self.agents[agent].used()):
            self._label[agent] = now
            self._written.pop(agent, None)
        return self._label[agent] == now

    def _moved(
        self, conn: Connection, new: NewEvaluation, setups: Mapping[int, SetupParts]
    ) -> NewEvaluation:
        parts = setups[new.setup]
        stored = _stored(self._label[parts.agent])
        if parts.fingerprint == stored:
            return new
        return replace(new, setup=setup_key(conn, replace(parts, fingerprint=stored)))

    def _put_used(self, conn: Connection, agents: Iterable[str]) -> None:
        for agent in agents:
            used, label = self.agents[agent].used(), self._label.get(agent)
            if used and label is not None:
                fresh = used - self._written.get(agent, frozenset())
                put_used(conn, label.fingerprint_hash, fresh)
                self._written[agent] = used


def _with_outside(known: Sequence[KnownFingerprint], now: AgentFingerprint) -> AgentFingerprint:
    """The fingerprint with the files that the agent is known to have used outside of its own."""
    used = (path for k in known for path in k.used or ())
    outside = {path: file_hash(path) or "" for path in used if path.startswith("/")}
    return replace(now, files={**outside, **now.files})


def _still_holding(known: Sequence[KnownFingerprint], now: AgentFingerprint) -> AgentFingerprint:
    """The newest stored fingerprint of which nothing has changed that mattered, else the new one.

    One that is the same to the letter goes before all others.
    """
    if any(k.fingerprint_hash == now.fingerprint_hash for k in known):
        return now
    for k in known:
        before = AgentFingerprint.from_detail(now.agent, k.detail)
        if not changes(before, now, k.used):
            return before
    return now


def _stored(found: AgentFingerprint) -> StoredFingerprint:
    return StoredFingerprint(found.agent, found.fingerprint_hash, found.origin, found.detail())


def _agent(new: NewEvaluation, setups: Mapping[int, SetupParts]) -> str | None:
    parts = setups.get(new.setup)
    return parts.agent if parts else None

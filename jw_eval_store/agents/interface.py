"""What the runner knows of an agent: who it is, what it depends on, and how to ask it once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jw_eval_store.domain.evaluations import ReasonCode
from jw_eval_store.domain.hashing import json_hash
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.domain.recordings import Recording


@dataclass(frozen=True)
class AgentFingerprint:
    """All that an agent's answer depends on, as far as is known.

    `files` maps a path to a content hash, `versions` a distribution to its version, `settings`
    are listed environment variables and the adapter's own options.
    """

    agent: str
    origin: str
    files: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_detail(cls, agent: str, detail: Mapping[str, Any]) -> AgentFingerprint:
        """From its JSON form, as stored."""
        return cls(agent, detail["origin"], detail["files"], detail["versions"], detail["settings"])

    def detail(self) -> dict[str, Any]:
        """JSON form, as stored."""
        return {
            "origin": self.origin,
            "files": dict(self.files),
            "versions": dict(self.versions),
            "settings": dict(self.settings),
        }

    @property
    def fingerprint_hash(self) -> str:
        """Content address of agent and detail."""
        return json_hash({"agent": self.agent, **self.detail()})


@dataclass(frozen=True)
class AgentCall:
    """One question: which case asks it, its input, and limits (seconds, bytes).

    Limits that are none are the agent's own settings. `now` (ISO 8601) freezes the agent's clock.
    `recording` is replayed; with `record` the network is open, and what is exchanged comes back
    as a new recording.
    """

    case_id: str
    input: Mapping[str, Any]
    timeout: float | None = None
    max_output: int | None = None
    now: str | None = None
    recording: Recording | None = None
    record: bool = False


@dataclass(frozen=True)
class AgentReply:
    """What came of one call: an output, or a reason code with a message for people.

    An outage that the agent swallowed (`agent_outage`) has both; an output with a reason code is
    for people to look at, never to be judged.
    `log` is what the agent printed, cut to its end. `recording` is what was recorded, if asked for.
    """

    output: AgentOutput | None
    duration_ms: int
    error: ReasonCode | None = None
    message: str = ""
    log: str = ""
    recording: Recording | None = None


class Agent(ABC):
    """An agent that can be asked. Implementations never raise for what the agent does."""

    name: str
    origin: str
    silent: str = ""
    """What says its fingerprint and could not be asked the last time, and why; else empty."""

    @abstractmethod
    def fingerprint(self) -> AgentFingerprint | None:
        """What its answers depend on now; none: unknown, so its cases are always stale."""

    @abstractmethod
    def call(self, call: AgentCall) -> AgentReply:
        """Ask once, within the time limit; may be called from several threads at once."""

    def used(self) -> frozenset[str] | None:
        """Which of its fingerprint's files answers until now depended on; none: on all of them.

        Grows with every call, so ask before a verdict is stored. See `staleness`.
        """
        return None

    def close(self) -> None:
        """Let go of processes and connections."""

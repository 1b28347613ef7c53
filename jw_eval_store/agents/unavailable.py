"""An agent that exists but cannot be started: its cases are errors, the others' go on."""

from __future__ import annotations

from jw_eval_store.agents.interface import Agent, AgentCall, AgentFingerprint, AgentReply
from jw_eval_store.agents.replies import error


class UnavailableAgent(Agent):
    """Answers every call with `agent_unavailable` and why."""

    def __init__(self, name: str, origin: str, why: str) -> None:
        self.name = name
        self.origin = origin
        self._why = why

    def fingerprint(self) -> AgentFingerprint | None:
        """Unknown, so that nothing is reused."""
        return None

    def call(self, call: AgentCall) -> AgentReply:
        """The reason why it cannot be asked."""
        return error("agent_unavailable", self._why)

"""What agents outside of Python's hosts share: their name, and a fingerprint that is declared."""

from __future__ import annotations

import time
from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any

from jw_eval_store.agents.declared import SilentError, check_declared, declared
from jw_eval_store.agents.fingerprints import fingerprint_of
from jw_eval_store.agents.host.failures import arguments
from jw_eval_store.agents.interface import Agent, AgentCall, AgentFingerprint, AgentReply
from jw_eval_store.agents.replies import error
from jw_eval_store.domain.settings import AgentSettings


class OutsideAgent(Agent):
    """An agent behind a command, an address or a protocol. `root`: the configuration's folder."""

    def __init__(self, name: str, origin: str, settings: AgentSettings, root: Path) -> None:
        check_declared(settings, root)
        self.name = name
        self.origin = origin
        self.settings = settings
        self.root = root

    def fingerprint(self) -> AgentFingerprint | None:
        """What `fingerprint` in its settings says; none: its cases are always stale."""
        try:
            depends = declared(self.settings, self.root)
        except SilentError as error:
            self.silent = str(error)
            return None
        self.silent = ""
        return fingerprint_of(self.name, self.origin, self.settings, depends)

    def call(self, call: AgentCall) -> AgentReply:
        """Ask once, and measure the time."""
        if call.now is not None or call.record:
            wanted = "a frozen clock (now)" if call.now is not None else "recording"
            return error(
                "agent_unavailable",
                f"{wanted} needs a Python agent in a host process; this one is reached by "
                f"{self.settings.adapter}",
            )
        started = time.perf_counter()
        reply = self._ask(call, arguments(call.input, self.settings.rename))
        return replace(reply, duration_ms=round((time.perf_counter() - started) * 1000))

    @abstractmethod
    def _ask(self, call: AgentCall, inputs: dict[str, Any]) -> AgentReply:
        """The reply to renamed inputs; never raises for what the agent does."""

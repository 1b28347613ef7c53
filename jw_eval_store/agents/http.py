"""Agents behind an address: the input is sent as JSON with POST, the result comes back as JSON."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx

from jw_eval_store.agents.command import from_json
from jw_eval_store.agents.interface import AgentCall, AgentReply
from jw_eval_store.agents.outside import OutsideAgent
from jw_eval_store.agents.replies import crash, error, time_limit, timed_out
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings

_DOWN = frozenset({429, 502, 503, 504})
"""Statuses that say the service is not there, rather than that the agent failed."""


class HttpAgent(OutsideAgent):
    """Posts to the target. Raises UsageError where that is no address."""

    def __init__(self, name: str, origin: str, settings: AgentSettings, root: Path) -> None:
        super().__init__(name, origin, settings, root)
        if not settings.target.startswith(("http://", "https://")):
            raise UsageError(
                f"agent {name!r}: target = {settings.target!r} is no address",
                hint="write it like http://localhost:8000/ask",
            )
        self._client = httpx.Client(follow_redirects=True)

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def _ask(self, call: AgentCall, inputs: dict[str, Any]) -> AgentReply:
        seconds = time_limit(call, self.settings)
        try:
            return self._post(call, inputs, seconds)
        except httpx.TimeoutException:
            return timed_out(call, self.settings)
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            return error("agent_unavailable", f"{self.settings.target}: {exc or repr(exc)}")

    def _post(self, call: AgentCall, inputs: dict[str, Any], seconds: float) -> AgentReply:
        deadline = time.monotonic() + seconds
        limit = call.max_output or self.settings.max_output
        body = bytearray()
        with self._client.stream(
            "POST", self.settings.target, json=inputs, timeout=seconds
        ) as response:
            for piece in response.iter_bytes():
                body += piece
                if time.monotonic() > deadline:
                    return timed_out(call, self.settings)
                if len(body) > limit:
                    return error("agent_bad_output", f"more than max_output = {limit:,} bytes")
        if response.is_success:
            return from_json(bytes(body), self.settings, call)
        message = f"HTTP {response.status_code} from {self.settings.target}: {bytes(body[:300])!r}"
        down = response.status_code in _DOWN
        return error("agent_unavailable", message) if down else crash(message)

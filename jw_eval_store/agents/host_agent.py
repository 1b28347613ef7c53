"""Python agents in host processes, of the tool's or of another interpreter."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from jw_eval_store.agents.fingerprints import fingerprint_of, root_folders
from jw_eval_store.agents.host_pool import HostPool
from jw_eval_store.agents.host_process import HostProcess, Message
from jw_eval_store.agents.interface import Agent, AgentCall, AgentFingerprint, AgentReply
from jw_eval_store.agents.replies import answered, time_limit, unavailable
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings

_SECRET = re.compile("key|token|secret|passw|auth|credential", re.IGNORECASE)


class HostAgent(Agent):
    """Asks its agent in host processes: a host for each call at once, warm for the next one.

    Raises UsageError where the interpreter does not exist. `root` is the configuration's folder.
    """

    def __init__(self, name: str, origin: str, settings: AgentSettings, root: Path) -> None:
        self.name = name
        self.origin = origin
        self._settings = settings
        self._root = root
        self._roots = root_folders(settings, root)
        self._python = interpreter(name, settings, root)
        self._used: set[str] = set()
        self._folders: Mapping[str, str] = {}
        self._pool = HostPool(self._start, settings.concurrency)

    def fingerprint(self) -> AgentFingerprint | None:
        """Content of its files now, as its own interpreter sees them; none: unknown.

        Where its host is killed meanwhile another one is asked.
        """
        depends, alive = self._depends()
        if depends is None and not alive:
            depends, _ = self._depends()
        return fingerprint_of(self.name, self.origin, self._settings, depends)

    def call(self, call: AgentCall) -> AgentReply:
        """Ask once. Where it need not have been this call that ended its host, ask again alone."""
        answer, crowded = self._ask(call, share=True)
        if "died" in answer and (crowded or "before" in answer):
            answer, _ = self._ask(call, share=False)
        return answered(answer, self._settings, call)

    def used(self) -> frozenset[str] | None:
        """Files below its roots that its hosts have imported, opened or listed until now."""
        return frozenset(self._used)

    def close(self) -> None:
        """End all hosts."""
        self._pool.close()

    def _depends(self) -> tuple[Message | None, bool]:
        """What a host says the agent depends on, and whether the host still runs."""
        host = self._pool.take(None, share=True)
        if host is None:
            return None, True
        try:
            return host.depends(), host.alive
        finally:
            self._pool.give_back(host)

    def _ask(self, call: AgentCall, *, share: bool) -> tuple[Message, bool]:
        """The answer, and whether the call may have shared its host."""
        host = self._pool.take(call.now, share=share)
        if host is None:
            return unavailable(self._pool.failure or {}), False
        message = {"input": dict(call.input), "now": call.now, "tape": self._tape(call)}
        try:
            answer = host.ask(message, time_limit(call, self._settings))
        finally:
            crowded = self._pool.give_back(host)
        self._used.update(answer.get("used", ()))
        return answer, crowded

    def _tape(self, call: AgentCall) -> Message | None:
        """What is replayed, or that the call records; none where the network is just open."""
        if self._settings.network and not call.record:
            return None
        exchanges = call.recording.exchanges if call.recording and not call.record else ()
        return {"record": call.record, "exchanges": [e.to_json() for e in exchanges]}

    def _start(self, now: str | None) -> HostProcess:
        settings = self._settings
        start = {
            "target": settings.target,
            "path": [str(self._root)],
            "roots": self._roots,
            "folders": self._folders,
            "rename": settings.rename,
            "memory_mb": settings.memory_mb,
            "max_output": settings.max_output,
            "frozen": now,
            "network": settings.network,
            "rules": {
                "match_on": list(settings.match_on),
                "secret_names": list(settings.secrets),
                "secret_values": secret_values(settings),
                "loopback": settings.loopback,
            },
        }
        host = HostProcess(self._python, settings, start)
        if "died" in host.greeting:  # killed from outside, as where memory is short: once more
            host = HostProcess(self._python, settings, start)
        self._folders = self._folders or host.greeting.get("ready", {}).get("folders", {})
        return host


def secret_values(settings: AgentSettings) -> list[str]:
    """Values of the listed environment variables whose names say that they are secret."""
    named = (name for name in settings.env if _SECRET.search(name) or name in settings.secrets)
    return [os.environ[name] for name in named if name in os.environ]


def interpreter(name: str, settings: AgentSettings, root: Path) -> str:
    """Path of the agent's interpreter: the tool's own unless `python` names another.

    Links are kept, since a virtual environment's interpreter is one. Raises UsageError.
    """
    if settings.python is None:
        return sys.executable
    beside = (root / settings.python).expanduser()
    found = str(beside) if os.sep in settings.python else shutil.which(settings.python)
    if found is None or not os.access(found, os.X_OK) or Path(found).is_dir():
        raise UsageError(
            f"agent {name!r}: there is no interpreter {found or settings.python}",
            hint="python = '...' is relative to the configuration file, such as .venv/bin/python",
        )
    return found

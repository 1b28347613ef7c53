"""The hosts of one agent: taken by calls, warm for the next one, replaced when they end."""

from __future__ import annotations

import threading
from collections.abc import Callable

from jw_eval_store.agents.host_process import HostProcess, Message


class HostPool:
    """Hosts are started as calls need them, so there are never more than calls at once.

    `start` makes a host, with its clock frozen at a moment or not; `concurrency` is how many calls
    an asynchronous agent's host takes at once.
    """

    def __init__(self, start: Callable[[str | None], HostProcess], concurrency: int) -> None:
        self._start = start
        self._concurrency = concurrency
        self._hosts: list[HostProcess] = []
        self._lock = threading.Lock()
        self.failure: Message | None = None

    def take(self, now: str | None, *, share: bool) -> HostProcess | None:
        """A host for one call; none where it cannot be started (`failure` says why, for good).

        Give it back after use. Without `share` nobody joins the call.
        """
        with self._lock:
            if self.failure is not None:
                return None
            self._hosts = [host for host in self._hosts if host.alive]
            host = next((h for h in self._hosts if self._fits(h, now, share)), None)
            if host is not None:
                host.enter(reserve=not share)
                return host
        return self._start_one(now, share)

    def close(self) -> None:
        """End all hosts."""
        with self._lock:
            hosts, self._hosts = self._hosts, []
        for host in hosts:
            host.close()

    def _start_one(self, now: str | None, share: bool) -> HostProcess | None:
        host = self._start(now)
        with self._lock:
            if "ready" not in host.greeting:
                self.failure = host.greeting
                return None
            host.enter(reserve=not share)
            self._hosts.append(host)
        return host

    def _fits(self, host: HostProcess, now: str | None, share: bool) -> bool:
        if host.frozen != (now is not None):
            return False
        if host.busy == 0:
            return True
        room = host.asynchronous and not host.reserved and host.busy < self._concurrency
        return share and now is None and room

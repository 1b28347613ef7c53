"""The hosts of one agent: taken by calls, warm for the next one, replaced when they end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from jw_eval_store.agents.host_process import HostProcess, Message


class HostPool:
    """Hosts are started as calls need them, so there are never more than calls at once.

    A call that finds all hosts busy waits as long as another would take to start, and then starts
    it: short calls share what is warm, long ones don't hold each other up.

    `start` makes a host, with its clock frozen at a moment or not; `concurrency` is how many calls
    an asynchronous agent's host takes at once.
    """

    def __init__(self, start: Callable[[str | None], HostProcess], concurrency: int) -> None:
        self._start = start
        self._concurrency = concurrency
        self._hosts: list[HostProcess] = []
        self._starting = 0
        self._start_seconds = 0.0
        self._changed = threading.Condition()
        self.failure: Message | None = None

    def take(self, now: str | None, *, share: bool) -> HostProcess | None:
        """A host for one call; none where it cannot be started (`failure` says why, for good).

        Give it back after use. Without `share` nobody joins the call.
        """
        with self._changed:
            deadline: float | None = None
            while self.failure is None:
                self._hosts = [host for host in self._hosts if host.alive]
                host = next((h for h in self._hosts if self._fits(h, now, share)), None)
                if host is not None:
                    host.enter(reserve=not share)
                    return host
                if self._hosts and deadline is None:
                    deadline = time.monotonic() + self._start_seconds
                left = None if deadline is None else deadline - time.monotonic()
                if not (self._hosts or self._starting) or (left is not None and left <= 0):
                    break
                self._changed.wait(left)
            if self.failure is not None:
                return None
            self._starting += 1
        return self._start_one(now, share)

    def give_back(self, host: HostProcess) -> bool:
        """The call is over. Whether it may have shared its host with others."""
        with self._changed:
            crowded = host.leave()
            self._changed.notify_all()
        return crowded

    def close(self) -> None:
        """End all hosts."""
        with self._changed:
            self.failure = self.failure or {"failed": "the agent has been closed"}
            self._changed.notify_all()
            hosts, self._hosts = self._hosts, []
        for host in hosts:
            host.close()

    def _start_one(self, now: str | None, share: bool) -> HostProcess | None:
        greeting: Message = {"failed": "starting it was interrupted"}
        host, started = None, time.monotonic()
        try:
            host = self._start(now)
            greeting = host.greeting
        except OSError as exc:
            greeting = {"failed": f"its interpreter cannot be run: {exc}"}
        finally:
            ready = self._admit(host, greeting, share, time.monotonic() - started)
        if host is not None and not ready:
            host.close()
        return host if ready else None

    def _admit(
        self, host: HostProcess | None, greeting: Message, share: bool, seconds: float
    ) -> bool:
        """Take a started host in, unless it is not ready or the pool has been closed meanwhile."""
        with self._changed:
            self._starting -= 1
            self._start_seconds = seconds
            ready = host is not None and "ready" in greeting and self.failure is None
            if host is not None and ready:
                host.enter(reserve=not share)
                self._hosts.append(host)
            else:
                self.failure = self.failure or greeting
            self._changed.notify_all()
        return ready

    def _fits(self, host: HostProcess, now: str | None, share: bool) -> bool:
        if host.frozen != (now is not None):
            return False
        if host.busy == 0:
            return True
        room = host.asynchronous and not host.reserved and host.busy < self._concurrency
        return share and now is None and room

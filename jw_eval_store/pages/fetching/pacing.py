"""The pace of requests, per host: so many at once, so long between two starts, longer if asked."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from jw_eval_store.pages.fetching.limits import Limits


class _Host:
    def __init__(self, limits: Limits) -> None:
        self.slots = asyncio.Semaphore(limits.per_host)
        self.turn = asyncio.Lock()
        self.pace = limits.pace
        self.free_at = 0.0


class Pacing:
    """Waits for the turn of each request. One object a check, so that hosts are paced as one."""

    def __init__(self, limits: Limits) -> None:
        self._hosts: defaultdict[str, _Host] = defaultdict(lambda: _Host(limits))

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Wait for the host's next turn; it stays taken while the context lasts."""
        entry = self._hosts[host]
        async with entry.slots:
            async with entry.turn:
                while (wait := entry.free_at - monotonic()) > 0:
                    await asyncio.sleep(wait)
                entry.free_at = monotonic() + entry.pace
            yield

    def pause(self, host: str, seconds: float) -> None:
        """Let nobody ask this host for so long, as it said itself."""
        entry = self._hosts[host]
        entry.free_at = max(entry.free_at, monotonic() + seconds)

    def slow_down(self, host: str, pace: float) -> None:
        """Keep at least so many seconds between two requests to a host."""
        entry = self._hosts[host]
        entry.pace = max(entry.pace, pace)

"""Ask hosts politely: in turn, within the day's budget, again with growing waits if it may help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_attempt
from tenacity.wait import wait_exponential, wait_random

from jw_eval_store.pages.fetching.addresses import Network
from jw_eval_store.pages.fetching.answers import Answer
from jw_eval_store.pages.fetching.connection import HostConnection
from jw_eval_store.pages.fetching.limits import Limits
from jw_eval_store.pages.fetching.pacing import Pacing

Budget = Callable[[str], bool]
"""Takes one request to a host from what may be asked today; false: nothing is left."""


class Asking:
    """The requests of one check, to all hosts."""

    def __init__(self, limits: Limits, network: Network, budget: Budget) -> None:
        self.limits = limits
        self.pacing = Pacing(limits)
        self._network = network
        self._budget = budget
        self._connections: dict[str, HostConnection] = {}

    async def close(self) -> None:
        """Close all connections."""
        for connection in self._connections.values():
            await connection.close()

    async def ask(
        self, url: str, headers: Mapping[str, str] | None = None, *, html: bool = True
    ) -> Answer:
        """The answer after as many attempts as the limits allow; redirects are not followed."""
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self.limits.attempts),
            wait=self._wait,
            retry=retry_if_result(self._may_help),
            retry_error_callback=_last,
        )
        answer: Answer = await retrying(self._once, url, headers or {}, html)
        return replace(answer, attempts=int(retrying.statistics["attempt_number"]))

    async def _once(self, url: str, headers: Mapping[str, str], html: bool) -> Answer:
        host = urlsplit(url).hostname or ""
        async with self.pacing.turn(host):
            if not self._budget(host):
                reason = f"today's requests to {host} are used up"
                return Answer("blocked", reason)
            answer = await self._connection(host).ask(url, headers, html=html)
        if answer.wait is not None and answer.wait <= self.limits.max_wait:
            self.pacing.pause(host, answer.wait)
        return answer

    def _connection(self, host: str) -> HostConnection:
        if host not in self._connections:
            self._connections[host] = HostConnection(host, self._network, self.limits)
        return self._connections[host]

    def _may_help(self, answer: Answer) -> bool:
        return answer.again and (answer.wait or 0.0) <= self.limits.max_wait

    def _wait(self, state: RetryCallState) -> float:
        """As long as the server asked for, else growing waits, apart from each other by chance."""
        asked = state.outcome.result().wait if state.outcome else None
        if asked is not None:
            return float(asked)
        backoff = self.limits.backoff
        grown = wait_exponential(multiplier=backoff, max=self.limits.max_wait)
        return float((grown + wait_random(0, backoff))(state))


def _last(state: RetryCallState) -> Answer:
    assert state.outcome is not None
    answer: Answer = state.outcome.result()
    return answer

"""Fetch cited pages: redirects by hand and only where a fetch may go, every outcome a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self
from urllib.parse import urljoin

from jw_eval_store.pages.fetching.addresses import Network, refusal
from jw_eval_store.pages.fetching.answers import Answer
from jw_eval_store.pages.fetching.asking import Asking, Budget
from jw_eval_store.pages.fetching.limits import DEFAULT_HOSTS, Limits
from jw_eval_store.pages.fetching.results import Fetched, Validators
from jw_eval_store.pages.fetching.robots import Robots


class Fetcher:
    """Fetches pages of listed hosts while entered; safe for many tasks of one event loop."""

    def __init__(
        self,
        hosts: Sequence[str] = DEFAULT_HOSTS,
        limits: Limits | None = None,
        network: Network | None = None,
        budget: Budget = lambda host: True,
    ) -> None:
        self._hosts = tuple(host.lower() for host in hosts)
        self._limits = limits or Limits()
        self._asking = Asking(self._limits, network or Network(), budget)
        self._robots = Robots(self._fetch_robots, self._asking.pacing.slow_down)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._robots.close()
        await self._asking.close()

    async def fetch(self, url: str, validators: Validators | None = None) -> Fetched:
        """What a page is now; `validators` ask whether it is still what it was.

        Never raises for what the network or the site does.
        """
        why = refusal(url, self._hosts)
        if why:
            return Fetched(url, "blocked", url, reason=f"{why} (see `hosts` in the configuration)")
        return await self._follow(url, validators or Validators(), robots=True)

    async def _fetch_robots(self, url: str) -> Fetched:
        return await self._follow(url, Validators(), robots=False)

    async def _follow(self, url: str, validators: Validators, *, robots: bool) -> Fetched:
        """Ask, and follow redirects as far as they lead where a fetch may go."""
        current, hops, asked = url, [url], validators.headers()
        while True:
            if robots and (objection := await self._robots.objection(current)):
                return Fetched(url, objection[0], current, reason=objection[1], hops=_path(hops))
            answer = await self._asking.ask(current, asked, html=robots)
            found = _fetched(url, current, hops, answer)
            if answer.location is None:
                return found
            target = urljoin(current, answer.location)
            if end := self._end(found, target, hops):
                return end
            current, asked = target.partition("#")[0], {}
            hops.append(current)

    def _end(self, found: Fetched, target: str, hops: list[str]) -> Fetched | None:
        """What a redirect that is not followed comes to."""
        if why := refusal(target, self._hosts):
            return replace(
                found, outcome="moved_away", final_url=target, reason=f"it leads to {target}: {why}"
            )
        if target.partition("#")[0] in hops:
            return replace(found, outcome="unreachable", reason="its redirects go in a circle")
        if len(hops) > self._limits.max_redirects:
            reason = f"it redirects more than {self._limits.max_redirects} times"
            return replace(found, outcome="unreachable", reason=reason)
        return None


def _path(hops: list[str]) -> tuple[str, ...]:
    return tuple(hops[1:])


def _fetched(url: str, current: str, hops: list[str], answer: Answer) -> Fetched:
    return Fetched(
        url=url,
        outcome=answer.outcome,
        final_url=current,
        status=answer.status,
        headers=answer.headers,
        body=answer.body,
        reason=answer.reason,
        hops=_path(hops),
        attempts=answer.attempts,
    )

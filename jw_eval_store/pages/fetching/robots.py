"""robots.txt, read once a host and check, and kept to (RFC 9309)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from protego import Protego

from jw_eval_store.pages.fetching.charset import text_of
from jw_eval_store.pages.fetching.limits import user_agent
from jw_eval_store.pages.fetching.results import Fetched, Outcome

_ABSENT = frozenset((401, 402, 403, 404, 405, 406, 410, 451))
"""What counts as "there is none", so that all may be fetched; other failures forbid all."""

_MOST_BYTES = 512_000


class Robots:
    """What hosts allow. `fetch` gets a robots.txt; `slow_down` takes its Crawl-delay."""

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[Fetched]],
        slow_down: Callable[[str, float], None],
    ) -> None:
        self._fetch = fetch
        self._slow_down = slow_down
        self._rules: dict[str, asyncio.Task[Protego | Fetched]] = {}

    async def objection(self, url: str) -> tuple[Outcome, str] | None:
        """Why a page may not be fetched, as outcome and reason; none if it may."""
        host = urlsplit(url).hostname or ""
        if host not in self._rules:
            self._rules[host] = asyncio.create_task(self._read(host))
        rules = await self._rules[host]
        if isinstance(rules, Fetched):
            outcome: Outcome = "blocked" if rules.outcome == "blocked" else "unreachable"
            return outcome, f"robots.txt of {host} can't be read: {rules.reason}"
        if not rules.can_fetch(url, user_agent()):
            return "blocked", f"robots.txt of {host} asks not to fetch it"
        return None

    async def close(self) -> None:
        """End what is still being read."""
        for task in self._rules.values():
            task.cancel()
        await asyncio.gather(*self._rules.values(), return_exceptions=True)

    async def _read(self, host: str) -> Protego | Fetched:
        found = await self._fetch(f"https://{host}/robots.txt")
        if found.outcome != "page" and found.status not in _ABSENT:
            return found
        text = text_of(found.body[:_MOST_BYTES]) if found.outcome == "page" else ""
        rules: Protego = Protego.parse(text)
        if delay := rules.crawl_delay(user_agent()):
            self._slow_down(host, float(delay))
        return rules

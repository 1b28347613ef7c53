"""Fetch many pages at once, as the configuration allows; what comes is handed on one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from jw_eval_store.config import Config
from jw_eval_store.pages.fetching.addresses import Network
from jw_eval_store.pages.fetching.fetcher import Fetcher
from jw_eval_store.pages.fetching.limits import Limits
from jw_eval_store.pages.fetching.results import Fetched, Validators
from jw_eval_store.store.checks import take_request
from jw_eval_store.store.connect import Connection

Ask = tuple[str, Validators]
"""A URL, and what to ask for an unchanged page with."""


@dataclass(frozen=True)
class Web:
    """How the network is reached, and within which limits; none: as configured."""

    network: Network | None = None
    limits: Limits | None = None


def fetch_all(
    conn: Connection,
    config: Config,
    asks: Iterable[Ask],
    took: Callable[[Fetched], None],
    web: Web | None = None,
) -> None:
    """Fetch every page once and hand each over as it comes, in this thread.

    The requests of a day are counted in the store, per host. An interrupt leaves what was handed
    over as it is.
    """
    asyncio.run(_fetch_all(conn, config, list(asks), took, web or Web()))


async def _fetch_all(
    conn: Connection, config: Config, asks: list[Ask], took: Callable[[Fetched], None], web: Web
) -> None:
    settings = config.settings
    limits = web.limits or Limits(pace=settings.fetch_pace, per_host=settings.fetch_parallel)

    def budget(host: str) -> bool:
        return take_request(conn, host, settings.fetch_daily)

    async with Fetcher(settings.hosts, limits, web.network, budget) as fetcher:

        async def one(url: str, how: Validators) -> None:
            took(await fetcher.fetch(url, how))  # and let the page go: there may be thousands

        tasks = [asyncio.create_task(one(url, how)) for url, how in asks]
        try:
            for done in asyncio.as_completed(tasks):
                await done
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

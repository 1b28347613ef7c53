"""One request to a host, at an address that was checked, under its own name."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing

import httpx

from jw_eval_store.pages.fetching.addresses import Endpoint, Network, RefusedAddressError
from jw_eval_store.pages.fetching.answers import Answer, head_answer
from jw_eval_store.pages.fetching.body import (
    ACCEPTED_ENCODINGS,
    BrokenBodyError,
    TooLargeError,
    read_body,
)
from jw_eval_store.pages.fetching.limits import Limits, user_agent

_ADDRESSES_TRIED = 3
_HEADERS = {
    "accept": "text/html, application/xhtml+xml;q=0.9, */*;q=0.1",
    "accept-encoding": ACCEPTED_ENCODINGS,
}


class HostConnection:
    """Requests to one host, without cookies and redirects.

    A transport serves one host only: it keeps connections per address, and two hosts may share an
    address but not a certificate.
    """

    def __init__(self, host: str, network: Network, limits: Limits) -> None:
        self.host = host
        self._network = network
        self._limits = limits
        self._endpoints: list[Endpoint] = []
        self._timeout = httpx.Timeout(limits.read, connect=limits.connect, pool=None).as_dict()
        self._transport = httpx.AsyncHTTPTransport(verify=network.tls())

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    async def ask(self, url: str, headers: Mapping[str, str], *, html: bool = True) -> Answer:
        """One attempt. Never raises for what the network or the server does."""
        try:
            async with asyncio.timeout(self._limits.total):
                return await self._at_some_address(url, headers, html)
        except TimeoutError:
            reason = f"no whole answer within {self._limits.total:g} s"
            return Answer("unreachable", reason, again=True)
        except TooLargeError as error:
            return Answer("too_large", str(error))
        except RefusedAddressError as error:
            return Answer("unreachable", str(error))
        except (httpx.HTTPError, BrokenBodyError, OSError) as error:
            reason = str(error) or type(error).__name__
            return Answer("unreachable", reason, again=True)

    async def _at_some_address(self, url: str, headers: Mapping[str, str], html: bool) -> Answer:
        self._endpoints = self._endpoints or await self._network.endpoints(self.host)
        tried = self._endpoints[:_ADDRESSES_TRIED]
        for endpoint in tried[:-1]:
            try:
                return await self._at(endpoint, url, headers, html)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._at(tried[-1], url, headers, html)

    async def _at(
        self, endpoint: Endpoint, url: str, headers: Mapping[str, str], html: bool
    ) -> Answer:
        address, port = endpoint
        request = httpx.Request(
            "GET",
            httpx.URL(url).copy_with(host=address, port=port),
            headers={**_HEADERS, "user-agent": user_agent(), **headers, "host": self.host},
            extensions={"sni_hostname": self.host, "timeout": self._timeout},
        )
        response = await self._transport.handle_async_request(request)
        async with aclosing(response):
            answer = head_answer(response.status_code, dict(response.headers), html=html)
            if answer.outcome != "page":
                return answer
            encoding = response.headers.get("content-encoding", "")
            body = await read_body(response.aiter_raw(), encoding, self._limits)
        return Answer("page", "", answer.status, answer.headers, body)

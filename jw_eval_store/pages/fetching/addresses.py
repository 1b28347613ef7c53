"""Where a fetch may go: listed hosts, https, and public addresses that are pinned once checked.

A name is resolved once per client and the connection goes to the address that was checked, so a
name that changes its mind in between (DNS rebinding) reaches nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import httpx

Endpoint = tuple[str, int]
"""Address (not a name) and port."""

_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")


class RefusedAddressError(Exception):
    """A host has no address that may be connected to."""


def is_public(address: str) -> bool:
    """Whether an address is on the internet: not private, loopback, link-local or reserved.

    IPv4 addresses that are wrapped into IPv6 count as what they hold.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _TRANSLATED:
            inner = ipaddress.IPv4Address(found.packed[-4:])
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not (found.is_multicast or found.is_reserved)


async def resolve(host: str) -> list[Endpoint]:
    """All addresses of a host at the https port, IPv4 first. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    ordered = sorted(found, key=lambda entry: entry[0] != socket.AF_INET)
    return list(dict.fromkeys((str(entry[4][0]), 443) for entry in ordered))


@dataclass(frozen=True)
class Network:
    """How hosts are reached. Tests hand over another one; no setting changes it."""

    resolve: Callable[[str], Awaitable[Sequence[Endpoint]]] = resolve
    is_allowed: Callable[[str], bool] = is_public
    tls: Callable[[], ssl.SSLContext] = field(default=httpx.create_ssl_context)

    async def endpoints(self, host: str) -> list[Endpoint]:
        """The addresses of a host that may be connected to.

        Raises OSError for an unknown host, RefusedAddressError where none of its addresses is
        allowed.
        """
        found = await self.resolve(host)
        allowed = [endpoint for endpoint in found if self.is_allowed(endpoint[0])]
        if not allowed:
            listed = ", ".join(address for address, _ in found) or "no address"
            raise RefusedAddressError(f"{host} leads to {listed}, which is not on the internet")
        return allowed


def refusal(url: str, hosts: Sequence[str]) -> str | None:
    """Why a URL may not be fetched, for people; none if it may."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, ValueError, TypeError):
        return "it is no address"
    if parsed.scheme != "https":
        return f"it is {parsed.scheme or 'no scheme'}, and only https is fetched"
    if parsed.userinfo or parsed.port not in (None, 443):
        return "it names a user or a port"
    if parsed.host not in hosts:
        return f"{parsed.host or 'its host'} is not one of the hosts that are fetched"
    return None

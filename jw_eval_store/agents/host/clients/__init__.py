"""HTTP clients of Python, each met at the one place below which it would touch the network."""

from __future__ import annotations

from ..imports import after_import
from . import aiohttp, httpx, urllib3


def watch() -> None:
    """Record or replay what goes through httpx, urllib3 (so requests, too) and aiohttp."""
    after_import(
        {
            "httpx": httpx.patch,
            "urllib3.connectionpool": urllib3.patch,
            "aiohttp.connector": aiohttp.patch,
        }
    )

"""Which SQLite this Python brings, for people who look for what is wrong."""

from __future__ import annotations

import sqlite3

OLDEST = (3, 37)
"""The first version with STRICT tables."""


def sqlite_version() -> tuple[str, bool]:
    """The library's version, and whether it is new enough."""
    return sqlite3.sqlite_version, sqlite3.sqlite_version_info >= OLDEST

"""The store's cache of replies as a judge sees it, fit for worker threads."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from jw_eval_store.store.connect import connect, transaction, writing
from jw_eval_store.store.replies import get_reply, put_reply


class StoreReplies:
    """Reads and writes with a connection of its own each time: a reply costs far more than that."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The stored body, if there is one."""
        with closing(connect(self._path)) as conn:
            return get_reply(conn, key)

    def put(self, key: str, body: Mapping[str, Any]) -> None:
        """Store a body at once, so that a killed run has not paid for it in vain."""
        with writing(self._path) as conn, transaction(conn):
            put_reply(conn, key, body)

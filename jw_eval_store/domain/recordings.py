"""The HTTP exchanges of one agent on one case, as they are stored and replayed."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jw_eval_store.domain.hashing import content_hash, json_hash

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Exchange:
    """One request and its response, without secrets. Bodies are as the client sees them:
    without transfer and content encoding.
    """

    method: str
    url: str
    request_headers: Headers
    request_body: bytes
    status: int
    headers: Headers
    body: bytes

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Exchange:
        """From the form in which it travels: bodies in base64."""
        return cls(
            value["method"],
            value["url"],
            _headers(value["request_headers"]),
            b64decode(value["request_body"]),
            int(value["status"]),
            _headers(value["headers"]),
            b64decode(value["body"]),
        )

    def to_json(self) -> dict[str, Any]:
        """The form in which it travels: bodies in base64."""
        return {
            "method": self.method,
            "url": self.url,
            "request_headers": [list(pair) for pair in self.request_headers],
            "request_body": b64encode(self.request_body).decode(),
            "status": self.status,
            "headers": [list(pair) for pair in self.headers],
            "body": b64encode(self.body).decode(),
        }


@dataclass(frozen=True)
class Recording:
    """All exchanges of one call, in the order in which the responses came."""

    exchanges: tuple[Exchange, ...]

    @cached_property
    def content_hash(self) -> str:
        """Content address of what can change an answer: all but the request headers."""
        return json_hash([_identity(exchange) for exchange in self.exchanges])

    @property
    def size(self) -> int:
        """Bytes of all bodies."""
        return sum(len(e.request_body) + len(e.body) for e in self.exchanges)


def _identity(exchange: Exchange) -> list[Any]:
    return [
        exchange.method,
        exchange.url,
        content_hash(exchange.request_body),
        exchange.status,
        [list(pair) for pair in exchange.headers],
        content_hash(exchange.body),
    ]


def _headers(pairs: Any) -> Headers:
    return tuple((str(name), str(value)) for name, value in pairs)

"""The HTTP exchanges of one call: looked up in replay, kept in recording."""

from __future__ import annotations

import difflib
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Optional
from urllib.parse import urlsplit

from .redact import Pairs, Redactor

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_DROPPED = frozenset({
    "age", "alt-svc", "cf-ray", "connection", "content-encoding", "content-length", "date",
    "keep-alive", "nel", "report-to", "server-timing", "transfer-encoding", "via", "x-cache",
    "x-request-id",
})  # fmt: skip
"""Response headers that differ at every run, or that no longer hold for a decoded body."""


class Missed(Exception):  # noqa: N818 -- an answer, not an error of ours
    """A request that is not recorded."""


@dataclass
class Asked:
    """A request as the client makes it."""

    method: str
    url: str
    headers: Pairs
    body: bytes = b""

    @property
    def host(self) -> str:
        """Host name of its URL."""
        return urlsplit(self.url).hostname or ""


@dataclass
class Answer:
    """A response: the real one in recording, a recorded one in replay."""

    status: int
    headers: Pairs
    body: bytes = b""


@dataclass
class Rules:
    """What tapes of one agent share. `match_on`: method, url, host, path, query, body."""

    match_on: list[str]
    secret_names: list[str]
    secret_values: list[str]
    loopback: bool


@dataclass
class Tape:
    """One call's exchanges. `report` tells the tool of a miss at once, whatever the agent does."""

    rules: Rules
    recording: bool
    recorded: list[dict[str, Any]]
    report: Callable[[dict[str, Any]], None]
    _kept: list[tuple[Asked, Answer]] = field(default_factory=list)
    _served: dict[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._redactor = Redactor(self.rules.secret_names, self.rules.secret_values)
        self._by_key: dict[Any, list[dict[str, Any]]] = {}
        for item in self.recorded:
            key = self._key(item["method"], item["url"], b64decode(item["request_body"]))
            self._by_key.setdefault(key, []).append(item)

    def passes(self, host: str) -> bool:
        """Whether a host is no business of the recording: loopback, where configured."""
        return self.rules.loopback and host in LOOPBACK

    def answer(self, asked: Asked) -> Answer:
        """The recorded answer; repeated requests get theirs in order, then the last one again.

        Raises Missed, after reporting it with the nearest recorded request.
        """
        self._redactor.learn(asked.url, asked.headers, asked.body)
        url = self._redactor.url(asked.url)
        key = self._key(asked.method, url, self._redactor.body(asked.headers, asked.body))
        items = self._by_key.get(key)
        if not items:
            text = f"{asked.method} {url}"
            self.miss(text, self._nearest(text))
            raise Missed(f"{text} is not recorded")
        served = self._served.get(key, 0)
        self._served[key] = served + 1
        item = items[min(served, len(items) - 1)]
        headers = [(name, value) for name, value in item["headers"]]
        return Answer(item["status"], headers, b64decode(item["body"]))

    def keep(self, asked: Asked, answer: Answer) -> Answer:
        """Note a real answer; returns it as the agent sees it, without encodings."""
        body = decoded(answer.headers, answer.body)
        is_head = asked.method.upper() == "HEAD"
        headers = [
            (name, value)
            for name, value in answer.headers
            if name.lower() not in _DROPPED or (is_head and name.lower() == "content-length")
        ]
        real = Answer(answer.status, headers, body)
        self._kept.append((asked, real))
        return real

    def exchanges(self) -> list[dict[str, Any]]:
        """All that was kept, without secrets, as JSON."""
        for asked, answer in self._kept:
            self._redactor.learn(asked.url, asked.headers, asked.body)
            self._redactor.learn("", answer.headers, answer.body)
        return [self._exchange(asked, answer) for asked, answer in self._kept]

    def miss(self, request: str, nearest: Optional[str]) -> None:
        """Tell the tool of a request that cannot be answered."""
        self.report({"request": request, "nearest": nearest})

    def _exchange(self, asked: Asked, answer: Answer) -> dict[str, Any]:
        redactor = self._redactor
        return {
            "method": asked.method,
            "url": redactor.url(asked.url),
            "request_headers": redactor.headers(asked.headers),
            "request_body": b64encode(redactor.body(asked.headers, asked.body)).decode(),
            "status": answer.status,
            "headers": redactor.headers(answer.headers),
            "body": b64encode(redactor.body(answer.headers, answer.body)).decode(),
        }

    def _key(self, method: str, url: str, body: bytes) -> tuple[Any, ...]:
        parts = urlsplit(url)
        by_name = {
            "method": method.upper(),
            "url": url.partition("#")[0],
            "host": parts.netloc,
            "path": parts.path,
            "query": parts.query,
            "body": body,
        }
        return tuple(by_name[name] for name in self.rules.match_on)

    def _nearest(self, text: str) -> Optional[str]:
        known = list(dict.fromkeys(f"{i['method']} {i['url']}" for i in self.recorded))
        near = difflib.get_close_matches(text, known, n=1, cutoff=0.3)
        if near and near[0] == text:
            return f"{text} with another body"
        return near[0] if near else None


def decoded(headers: Pairs, body: bytes) -> bytes:
    """A body without its content encoding. Recording asks for these encodings only."""
    for name, value in headers:
        if name.lower() == "content-encoding" and body:
            for encoding in reversed(value.lower().replace(" ", "").split(",")):
                body = _decoded_once(encoding, body)
    return body


def _decoded_once(encoding: str, body: bytes) -> bytes:
    if encoding in ("gzip", "x-gzip"):
        return zlib.decompress(body, zlib.MAX_WBITS | 16)
    if encoding == "deflate":
        try:
            return zlib.decompress(body)
        except zlib.error:
            return zlib.decompress(body, -zlib.MAX_WBITS)
    return body


def plain_encodings(headers: Pairs) -> Pairs:
    """Headers that ask for gzip and deflate at most: the standard library decodes no others."""
    return [
        (name, "gzip, deflate" if name.lower() == "accept-encoding" else value)
        for name, value in headers
    ]


_current: ContextVar[Optional[Tape]] = ContextVar("tape", default=None)
_active: list[Tape] = []


def begin(tape: Tape) -> None:
    """The tape of the call that begins in this context."""
    _current.set(tape)
    _active.append(tape)


def end(tape: Tape) -> None:
    """The call has ended."""
    _active.remove(tape)


def current() -> Optional[Tape]:
    """The tape of the call that runs here; where a thread does not know, that of the only call."""
    tape = _current.get()
    if tape is not None:
        return tape
    return _active[0] if len(_active) == 1 else None

"""aiohttp: a connection that leads nowhere but to the tape.

aiohttp ties its response to a connection, so the connection is what is replaced: it takes the
request's bytes, and hands back the bytes of the answer.
"""

from __future__ import annotations

import asyncio
import http.client
import ssl
from typing import Any, Optional
from urllib.parse import urlsplit

from .. import tape as tapes
from ..tape import Answer, Asked, Missed, Tape, plain_encodings

TIMEOUT = 60.0
"""Seconds for a real answer in recording."""


def patch(connector: Any) -> None:
    """Give connections of the tape to whoever asks for a connection."""
    original = connector.TCPConnector._create_connection

    async def create_connection(self: Any, req: Any, traces: Any, timeout: Any) -> Any:
        tape = tapes.current()
        if tape is None or tape.passes(req.url.host):
            return await original(self, req, traces, timeout)
        protocol = self._factory()
        protocol.connection_made(Line(protocol, str(req.url), tape))
        return protocol

    connector.TCPConnector._create_connection = create_connection


class Line(asyncio.Transport):
    """The transport of one request."""

    def __init__(self, protocol: Any, url: str, tape: Tape) -> None:
        super().__init__()
        self._protocol = protocol
        self._url = url
        self._tape = tape
        self._loop = asyncio.get_running_loop()
        self._sent = bytearray()
        self._closed = False
        self._task: Optional[asyncio.Task[None]] = None

    def write(self, data: Any) -> None:
        """Take a piece of the request; answer when it is complete."""
        self._sent += data
        asked = parse(bytes(self._sent), self._url)
        if asked is not None and self._task is None:
            self._task = self._loop.create_task(self._answer(asked))

    def is_closing(self) -> bool:
        """Whether the client has let go."""
        return self._closed

    def close(self) -> None:
        """The client lets go."""
        if not self._closed:
            self._closed = True
            self._loop.call_soon(self._protocol.connection_lost, None)

    def abort(self) -> None:
        """The client lets go at once."""
        self.close()

    def pause_reading(self) -> None:
        """All comes in one piece: there is nothing to pause."""

    def resume_reading(self) -> None:
        """There is nothing to resume."""

    def set_write_buffer_limits(self, high: Any = None, low: Any = None) -> None:
        """Nothing is buffered."""

    async def _answer(self, asked: Asked) -> None:
        try:
            if self._tape.recording:
                received = await self._loop.run_in_executor(None, fetch, asked)
                answer = self._tape.keep(asked, received)
            else:
                answer = self._tape.answer(asked)
        except (Missed, OSError, http.client.HTTPException) as exc:
            self._closed = True
            self._protocol.connection_lost(ConnectionError(str(exc)))
            return
        self._protocol.data_received(_bytes(asked, answer))


def parse(sent: bytes, url: str) -> Optional[Asked]:
    """The request, once its bytes are complete."""
    head, complete, body = sent.partition(b"\r\n\r\n")
    if not complete:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = [(name, value.strip()) for name, _, value in (ln.partition(":") for ln in lines)]
    by_name = {name.lower(): value for name, value in headers}
    if "chunked" in by_name.get("transfer-encoding", "").lower():
        if not body.endswith(b"0\r\n\r\n"):
            return None
        body = _unchunked(body)
    elif len(body) < int(by_name.get("content-length", 0)):
        return None
    return Asked(first.partition(" ")[0], url, headers, body)


def fetch(asked: Asked) -> Answer:
    """Send a request for real. Raises OSError and HTTPException."""
    parts = urlsplit(asked.url)
    host = parts.hostname or ""
    if parts.scheme == "https":
        context = ssl.create_default_context()
        connection: Any = http.client.HTTPSConnection(
            host, parts.port, timeout=TIMEOUT, context=context
        )
    else:
        connection = http.client.HTTPConnection(host, parts.port, timeout=TIMEOUT)
    headers = {
        name: value
        for name, value in plain_encodings(asked.headers)
        if name.lower() not in ("transfer-encoding", "content-length", "connection")
    }
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(asked.method, target, asked.body or None, headers)
        response = connection.getresponse()
        return Answer(response.status, response.getheaders(), response.read())
    finally:
        connection.close()


def _bytes(asked: Asked, answer: Answer) -> bytes:
    reason = http.client.responses.get(answer.status, "Unknown")
    lines = [f"HTTP/1.1 {answer.status} {reason}"]
    lines += [f"{name}: {value}" for name, value in answer.headers]
    if asked.method.upper() != "HEAD":
        lines.append(f"Content-Length: {len(answer.body)}")
    lines.append("Connection: close")
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + answer.body


def _unchunked(body: bytes) -> bytes:
    parts = bytearray()
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size.partition(b";")[0], 16)
        parts += body[:length]
        body = body[length + 2 :]
    return bytes(parts)

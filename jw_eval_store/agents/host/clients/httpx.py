"""httpx: its transports, below redirects, cookies and authentication."""

from __future__ import annotations

from typing import Any, Optional

from .. import tape as tapes
from ..tape import Answer, Asked, Missed, Tape


def patch(httpx: Any) -> None:
    """Answer from the tape; in recording, send the request and keep the answer."""
    sync = httpx.HTTPTransport.handle_request
    asynchronous = httpx.AsyncHTTPTransport.handle_async_request

    def handle_request(self: Any, request: Any) -> Any:
        tape = _tape_for(request)
        if tape is None:
            return sync(self, request)
        asked = _asked(request, request.read())
        if not tape.recording:
            return _replayed(httpx, tape, asked, request)
        _accept_plain(request)
        response = sync(self, request)
        body = b"".join(response.stream)
        response.close()
        return _response(httpx, tape.keep(asked, _answer(response, body)))

    async def handle_async_request(self: Any, request: Any) -> Any:
        tape = _tape_for(request)
        if tape is None:
            return await asynchronous(self, request)
        asked = _asked(request, await request.aread())
        if not tape.recording:
            return _replayed(httpx, tape, asked, request)
        _accept_plain(request)
        response = await asynchronous(self, request)
        body = b"".join([piece async for piece in response.stream])
        await response.aclose()
        return _response(httpx, tape.keep(asked, _answer(response, body)))

    httpx.HTTPTransport.handle_request = handle_request
    httpx.AsyncHTTPTransport.handle_async_request = handle_async_request


def _tape_for(request: Any) -> Optional[Tape]:
    tape = tapes.current()
    return None if tape is None or tape.passes(request.url.host) else tape


def _asked(request: Any, body: bytes) -> Asked:
    return Asked(request.method, str(request.url), list(request.headers.multi_items()), body)


def _accept_plain(request: Any) -> None:
    if "accept-encoding" in request.headers:
        request.headers["accept-encoding"] = "gzip, deflate"


def _answer(response: Any, body: bytes) -> Answer:
    return Answer(response.status_code, list(response.headers.multi_items()), body)


def _response(httpx: Any, answer: Answer) -> Any:
    extensions = {"http_version": b"HTTP/1.1"}
    return httpx.Response(
        answer.status, headers=answer.headers, content=answer.body, extensions=extensions
    )


def _replayed(httpx: Any, tape: Tape, asked: Asked, request: Any) -> Any:
    try:
        return _response(httpx, tape.answer(asked))
    except Missed as exc:
        raise httpx.ConnectError(str(exc), request=request) from None

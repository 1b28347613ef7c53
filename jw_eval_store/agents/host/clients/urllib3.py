"""urllib3, and with it requests: the pool that sends one request."""

from __future__ import annotations

import io
from http.client import responses
from typing import Any

from .. import tape as tapes
from ..tape import Answer, Asked, Missed, plain_encodings


def patch(connectionpool: Any) -> None:
    """Answer from the tape; in recording, send the request and keep the answer."""
    pool = connectionpool.HTTPConnectionPool
    original = pool.urlopen

    def urlopen(
        self: Any, method: str, url: str, body: Any = None, headers: Any = None, **options: Any
    ) -> Any:
        tape = tapes.current()
        if tape is None or tape.passes(self.host):
            return original(self, method, url, body, headers, **options)
        content = _content(body)
        sent = list((self.headers if headers is None else headers).items())
        asked = Asked(method, _url(self, url), _texts(sent), content)
        if tape.recording:
            raw = {**options, "redirect": False, "preload_content": False, "decode_content": False}
            plain = dict(plain_encodings(_texts(sent)))
            response = original(self, method, url, content or None, plain, **raw)
            received = Answer(response.status, list(response.headers.items()), response.read())
            response.release_conn()
            return _response(tape.keep(asked, received), method, url, options)
        try:
            return _response(tape.answer(asked), method, url, options)
        except Missed as exc:
            raise _protocol_error()(str(exc)) from None

    pool.urlopen = urlopen


def _content(body: Any) -> bytes:
    if body is None:
        return b""
    if hasattr(body, "read"):
        body = body.read()
    if isinstance(body, str):
        return body.encode("utf-8")
    return bytes(body) if isinstance(body, (bytes, bytearray, memoryview)) else b"".join(body)


def _texts(pairs: Any) -> list[tuple[str, str]]:
    def text(value: Any) -> str:
        return value.decode("latin-1") if isinstance(value, bytes) else str(value)

    return [(text(name), text(value)) for name, value in pairs]


def _url(pool: Any, url: str) -> str:
    if "://" in url:
        return url
    host = f"[{pool.host}]" if ":" in pool.host else pool.host
    usual = {"http": 80, "https": 443}.get(pool.scheme)
    port = "" if pool.port in (None, usual) else f":{pool.port}"
    return f"{pool.scheme}://{host}{port}{url}"


def _response(answer: Answer, method: str, url: str, options: dict[str, Any]) -> Any:
    from urllib3._collections import HTTPHeaderDict
    from urllib3.response import HTTPResponse

    return HTTPResponse(
        body=io.BytesIO(answer.body),
        headers=HTTPHeaderDict(answer.headers),
        status=answer.status,
        reason=responses.get(answer.status, ""),
        version=11,
        preload_content=options.get("preload_content", True),
        decode_content=options.get("decode_content", True),
        request_method=method,
        request_url=url,
    )


def _protocol_error() -> Any:
    from urllib3.exceptions import ProtocolError

    return ProtocolError

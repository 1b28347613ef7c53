"""Recordings as files: HTTP Archive (HAR 1.2), which browsers and other tools read and write."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import responses
from importlib.metadata import version
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from jw_eval_store.agents.host.redact import Redactor
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.recordings import Exchange, Headers, Recording


def to_har(recording: Recording, recorded_at: datetime | None = None) -> str:
    """The recording as HAR text."""
    moment = (recorded_at or datetime.now(UTC)).isoformat()
    creator = {"name": "jw-eval", "version": version("jw-eval-store")}
    entries = [_entry(exchange, moment) for exchange in recording.exchanges]
    log = {"version": "1.2", "creator": creator, "entries": entries}
    return json.dumps({"log": log}, ensure_ascii=False, indent=1) + "\n"


def from_har(text: str, source: str, secrets: Iterable[str] = ()) -> Recording:
    """The recording of a HAR file, secrets replaced: other tools leave them in.

    Raises UsageError, naming `source`, for what is no HAR.
    """
    with _readable(source):
        exchanges = [_exchange(entry) for entry in json.loads(text)["log"]["entries"]]
    return Recording(tuple(_without_secrets(exchanges, Redactor(secrets, ()))))


def har_moment(text: str, source: str = "the text") -> str | None:
    """When the first request of a HAR was made, as it is stored; none where nothing says it.

    Raises UsageError, naming `source`, for what is no HAR.
    """
    with _readable(source):
        entries = json.loads(text)["log"]["entries"]
        written = [entry["startedDateTime"] for entry in entries if "startedDateTime" in entry]
        moments = [datetime.fromisoformat(moment) for moment in written]
    if not moments:
        return None
    first = min(m if m.tzinfo else m.replace(tzinfo=UTC) for m in moments).astimezone(UTC)
    return first.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@contextmanager
def _readable(source: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise UsageError(
            f"{source} is no HTTP Archive: {type(exc).__name__}: {exc}",
            hint="export it with `jw-eval agents recordings export`, or save a HAR in a browser",
        ) from exc


def _entry(exchange: Exchange, moment: str) -> dict[str, Any]:
    query = parse_qsl(urlsplit(exchange.url).query, keep_blank_values=True)
    request = {
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(exchange.request_headers),
        "queryString": _pairs(query),
        "headersSize": -1,
        "bodySize": len(exchange.request_body),
    }
    if exchange.request_body:
        kind = _content_type(exchange.request_headers)
        request["postData"] = {"mimeType": kind, **_text(exchange.request_body)}
    response = {
        "status": exchange.status,
        "statusText": responses.get(exchange.status, ""),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(exchange.headers),
        "content": {
            "size": len(exchange.body),
            "mimeType": _content_type(exchange.headers),
            **_text(exchange.body),
        },
        "redirectURL": dict(exchange.headers).get("location", ""),
        "headersSize": -1,
        "bodySize": len(exchange.body),
    }
    return {
        "startedDateTime": moment,
        "time": 0,
        "request": request,
        "response": response,
        "cache": {},
        "timings": {"send": 0, "wait": 0, "receive": 0},
    }


def _exchange(entry: Mapping[str, Any]) -> Exchange:
    request, response = entry["request"], entry["response"]
    return Exchange(
        request["method"],
        request["url"].partition("#")[0],
        _headers(request["headers"]),
        _bytes(request.get("postData") or {}),
        int(response["status"]),
        tuple(p for p in _headers(response["headers"]) if p[0].lower() not in _ENCODING),
        _bytes(response["content"]),
    )


_ENCODING = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection"})


def _without_secrets(exchanges: list[Exchange], redactor: Redactor) -> list[Exchange]:
    for e in exchanges:
        redactor.learn(e.url, list(e.request_headers), e.request_body)
        redactor.learn("", list(e.headers), e.body)
    return [
        Exchange(
            e.method,
            redactor.url(e.url),
            tuple(redactor.headers(list(e.request_headers))),
            redactor.body(list(e.request_headers), e.request_body),
            e.status,
            tuple(redactor.headers(list(e.headers))),
            redactor.body(list(e.headers), e.body),
        )
        for e in exchanges
    ]


def _text(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"text": b64encode(body).decode(), "encoding": "base64"}


def _bytes(content: Mapping[str, Any]) -> bytes:
    text = content.get("text") or ""
    return b64decode(text) if content.get("encoding") == "base64" else text.encode()


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _headers(listed: Iterable[Mapping[str, str]]) -> Headers:
    return tuple((pair["name"], pair["value"]) for pair in listed)


def _content_type(headers: Headers) -> str:
    return next((value for name, value in headers if name.lower() == "content-type"), "")

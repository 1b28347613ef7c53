"""Replies that misbehave below the level of HTTP, and replies as sites behind walls give them."""

from __future__ import annotations

import gzip
import time

from tests.fetching.site import Handler, Reply


def dripping(handler: Handler) -> None:
    """A byte now and then, for ever."""
    try:
        for _ in range(400):
            handler.wfile.write(b"1\r\nx\r\n")
            handler.wfile.flush()
            time.sleep(0.02)
    except OSError:
        pass


def endless(handler: Handler) -> None:
    """More and more of a body."""
    try:
        while True:
            handler.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
    except OSError:
        pass


def cut_chunk(handler: Handler) -> None:
    """A chunk that is shorter than it says."""
    handler.wfile.write(b"1000\r\nonly this much")


def hang_up(handler: Handler) -> None:
    """No answer at all."""


def slow_head(handler: Handler) -> None:
    """A head that never ends, a byte now and then."""
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        for _ in range(400):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.02)
    except OSError:
        pass


CHUNKED = {"Transfer-Encoding": "chunked"}
DRIP = Reply(headers=CHUNKED, write=dripping)
ENDLESS = Reply(headers=CHUNKED, write=endless)
CUT_CHUNK = Reply(headers=CHUNKED, write=cut_chunk)
HANG_UP = Reply(head=False, write=hang_up)
SLOW_HEAD = Reply(head=False, write=slow_head)
BOMB = Reply(gzip.compress(b"\0" * 50_000_000), headers={"Content-Encoding": "gzip"})
CUT_GZIP = Reply(gzip.compress(b"page " * 1000)[:-20], headers={"Content-Encoding": "gzip"})
FALSE_GZIP = Reply(b"<p>not compressed</p>", headers={"Content-Encoding": "gzip"})
BROTLI = Reply(b"\x0b\x02\x80", headers={"Content-Encoding": "br"})


def zipped(text: str) -> Reply:
    return Reply(gzip.compress(text.encode()), headers={"Content-Encoding": "gzip"})


def redirect(target: str, status: int = 301) -> Reply:
    return Reply(status=status, headers={"Location": target})

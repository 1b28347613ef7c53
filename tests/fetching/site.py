"""A site on loopback, over real HTTPS with a test CA, whose pages answer as they are told to."""

from __future__ import annotations

import ssl
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import trustme

from jw_eval_store.pages.fetching.addresses import Endpoint, Network, is_public

HOSTS = ("wol.jw.org", "www.jw.org")


@dataclass(frozen=True)
class Reply:
    """One answer. `write` takes the connection over after the head; `head` false: no head."""

    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    write: Callable[[Handler], None] | None = None
    head: bool = True


@dataclass
class Asked:
    """A request as it came."""

    host: str
    path: str
    headers: Mapping[str, str]
    at: float


class Handler(BaseHTTPRequestHandler):
    """Plays the replies of a path in turn; the last one stays."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        site = self.server.site
        with site.lock:
            site.asked.append(
                Asked(
                    self.headers["Host"],
                    self.path,
                    {name.lower(): value for name, value in self.headers.items()},
                    time.monotonic(),
                )
            )
            queue = site.replies.get(self.path) or [Reply("nothing here", 404)]
            reply = queue.pop(0) if len(queue) > 1 else queue[0]
        etag = reply.headers.get("ETag")
        if etag and self.headers.get("If-None-Match") == etag:
            reply = Reply(status=304)
        self._send(reply)

    def _send(self, reply: Reply) -> None:
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        if reply.head:
            self.send_response(reply.status)
            headers = {"Content-Type": "text/html", **reply.headers}
            if reply.write is None and reply.status != 304:
                headers.setdefault("Content-Length", str(len(body)))
            for name, value in headers.items():
                if value:
                    self.send_header(name, value)
            self.end_headers()
        if reply.write:
            self.close_connection = True
            reply.write(self)
        elif reply.status != 304:
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """TLS handshakes happen in the connection's own thread."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, site: Site, tls: ssl.SSLContext | None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.site = site
        self.tls = tls

    def finish_request(self, request: Any, client_address: Any) -> None:
        try:
            if self.tls is not None:
                request.settimeout(20)
                request = self.tls.wrap_socket(request, server_side=True)
            super().finish_request(request, client_address)
        except OSError:
            pass
        finally:
            if self.tls is not None:
                request.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class Site:
    """Both hosts on one address; `addresses` says where other names lead."""

    def __init__(self, ca: trustme.CA) -> None:
        self.ca = ca
        self.lock = threading.Lock()
        self.replies: dict[str, list[Reply]] = {}
        self.asked: list[Asked] = []
        self.addresses: dict[str, Sequence[Endpoint]] = {}
        self.port = 0

    def play(self, path: str, *replies: Reply | str) -> str:
        """Let a path answer so, in turn; gives its URL at wol.jw.org."""
        with self.lock:
            self.replies[path] = [Reply(r) if isinstance(r, str) else r for r in replies]
        return f"https://wol.jw.org{path}"

    def paths(self) -> list[str]:
        """What was asked for, without robots.txt."""
        return [asked.path for asked in self.asked if asked.path != "/robots.txt"]

    async def resolve(self, host: str) -> Sequence[Endpoint]:
        if host in self.addresses:
            return self.addresses[host]
        if host in HOSTS:
            return [("127.0.0.1", self.port)]
        raise OSError(f"no such host: {host}")

    def network(self, *, trusting: bool = True) -> Network:
        """How to reach it; `trusting` false: without its CA."""
        return Network(
            resolve=self.resolve,
            is_allowed=lambda address: address == "127.0.0.1" or is_public(address),
            tls=lambda: self.client_context(trusting),
        )

    def client_context(self, trusting: bool) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if trusting:
            self.ca.configure_trust(context)
        return context

    def times(self, path: str) -> list[float]:
        return [asked.at for asked in self.asked if asked.path == path]

    def counted(self) -> Mapping[str, int]:
        found: defaultdict[str, int] = defaultdict(int)
        for path in self.paths():
            found[path] += 1
        return found


@contextmanager
def serving(site: Site, *names: str) -> Iterator[Site]:
    """Serve a site over HTTPS, with a certificate for these names (default: both hosts)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    site.ca.issue_cert(*(names or HOSTS)).configure_cert(context)
    with _running(Server(site, context), site):
        yield site


@contextmanager
def serving_plainly(site: Site) -> Iterator[Site]:
    """Serve a site over bare HTTP, which nothing should ever ask."""
    with _running(Server(site, None), site):
        yield site


@contextmanager
def _running(server: Server, site: Site) -> Iterator[None]:
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""Both hosts of the toolkit, played over real HTTP on loopback."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZWNyZXQtdXNlciJ9.c2lnbmF0dXJlLXZhbHVl"


class Pages(BaseHTTPRequestHandler):
    """Pages, a token, and a search that wants the token."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/tokens/jworg.jwt":
            return self.reply(TOKEN.encode(), "text/plain")
        if parts.path != "/apis/search":
            text = f"Page {parts.path}: God so loved the world"
            return self.reply(text.encode(), "text/html; charset=utf-8")
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            return self.reply(b"forbidden", "text/plain", 403)
        query = parse_qs(parts.query)["q"][0]
        body = json.dumps({"results": [f"{query} hit {n}" for n in range(3)]})
        return self.reply(body.encode(), "application/json")

    def reply(self, body: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Hosts:
    """Two servers, that can be stopped."""

    def __init__(self) -> None:
        self.servers = [ThreadingHTTPServer(("127.0.0.1", 0), Pages) for _ in range(2)]
        for server in self.servers:
            server.daemon_threads = True
        self.threads = [
            threading.Thread(target=s.serve_forever, args=(0.05,)) for s in self.servers
        ]
        for thread in self.threads:
            thread.start()

    @property
    def environment(self) -> dict[str, str]:
        """What tells the toolkit where its hosts are."""
        wol, cdn = (f"http://127.0.0.1:{s.server_port}" for s in self.servers)
        return {"WOL_BASE": wol, "CDN_BASE": cdn}

    def stop(self) -> None:
        """Take the network away."""
        for server, thread in zip(self.servers, self.threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()

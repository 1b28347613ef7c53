"""A server on loopback that answers with prepared replies and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[str, dict[str, Any]], tuple[int, object]]


@dataclass
class Server:
    """Where it listens, and what it was asked: path, body and headers."""

    url: str
    asked: list[tuple[str, dict[str, Any], dict[str, str]]] = field(default_factory=list)


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    """`answer` maps a path and a JSON body to a status and a JSON reply."""
    found: list[Server] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            found[0].asked.append((self.path, body, dict(self.headers)))
            status, reply = answer(self.path, body)
            raw = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.append(Server(f"http://127.0.0.1:{http.server_port}"))
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield found[0]
    finally:
        http.shutdown()
        http.server_close()
        thread.join()

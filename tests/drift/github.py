"""A stand-in for GitHub's REST API on loopback that refuses what the documentation does not allow.

Checked as docs.github.com/rest (version 2022-11-28) describes: method and path, headers, query
parameters, and the fields of bodies with their types and lengths.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

TOKEN = "ghs_standin"
REPO = "own/repo"


def _text(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def _one_of(*allowed: str) -> Callable[[Any], bool]:
    return lambda value: value in allowed


def _number(most: int) -> Callable[[Any], bool]:
    return lambda value: value.isdigit() and 1 <= int(value) <= most


def _labels(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(label, str) and label for label in value)


Fields = dict[str, Callable[[Any], bool]]

ROUTES: dict[tuple[str, str], tuple[Fields, frozenset[str]]] = {
    ("GET", r"/issues"): (
        {
            "state": _one_of("open", "closed", "all"),
            "labels": _text(1, 200),
            "sort": _one_of("created", "updated", "comments"),
            "direction": _one_of("asc", "desc"),
            "per_page": _number(100),
            "page": _number(10_000),
        },
        frozenset(),
    ),
    ("POST", r"/issues"): (
        {"title": _text(1, 256), "body": _text(0, 65_536), "labels": _labels},
        frozenset(["title"]),
    ),
    ("PATCH", r"/issues/(\d+)"): (
        {
            "title": _text(1, 256),
            "body": _text(0, 65_536),
            "state": _one_of("open", "closed"),
            "state_reason": _one_of("completed", "not_planned", "reopened"),
            "labels": _labels,
        },
        frozenset(),
    ),
    ("POST", r"/issues/(\d+)/comments"): ({"body": _text(1, 65_536)}, frozenset(["body"])),
    ("POST", r"/labels"): (
        {
            "name": _text(1, 50),
            "color": lambda value: bool(re.fullmatch(r"[0-9a-fA-F]{6}", value)),
            "description": _text(0, 100),
        },
        frozenset(["name"]),
    ),
}


class Github:
    """One repository. `wrong` lists what the documentation does not allow; it must stay empty."""

    def __init__(self) -> None:
        self.issues: list[dict[str, Any]] = []
        self.comments: list[tuple[int, str]] = []
        self.labels: set[str] = set()
        self.requests: list[tuple[str, str]] = []
        self.wrong: list[str] = []
        self.failing: list[tuple[int, dict[str, str]]] = []
        self.url = ""
        self.lock = threading.Lock()

    def add(self, body: str | None, **fields: Any) -> dict[str, Any]:
        number = len(self.issues) + 1
        issue = {
            "number": number,
            "title": f"issue {number}",
            "body": body,
            "state": "open",
            "labels": [],
            "html_url": f"https://github.com/{REPO}/issues/{number}",
            **fields,
        }
        self.issues.append(issue)
        return issue

    def open_issues(self) -> list[dict[str, Any]]:
        return [issue for issue in self.issues if issue["state"] == "open"]

    def answer(
        self, method: str, path: str, headers: dict[str, str], raw: bytes
    ) -> tuple[int, Any]:
        """Status and JSON of one request."""
        with self.lock:
            parts = urlsplit(path)
            self.requests.append((method, parts.path.removeprefix(f"/repos/{REPO}")))
            if self.failing:
                status, _ = self.failing.pop(0)
                return status, {"message": "not now"}
            if headers.get("authorization") != f"Bearer {TOKEN}":
                return 401, {"message": "Bad credentials"}
            self._check_headers(headers, raw)
            if not parts.path.startswith(f"/repos/{REPO}/"):
                return 404, {"message": "Not Found"}
            return self._routed(method, parts.path.removeprefix(f"/repos/{REPO}"),
                                dict(parse_qsl(parts.query)), raw)  # fmt: skip

    def _check_headers(self, headers: dict[str, str], raw: bytes) -> None:
        if headers.get("accept") != "application/vnd.github+json":
            self.wrong.append(f"Accept is {headers.get('accept')}")
        if headers.get("x-github-api-version") != "2022-11-28":
            self.wrong.append("no API version")
        if not headers.get("user-agent"):
            self.wrong.append("no User-Agent")
        if raw and headers.get("content-type") != "application/json":
            self.wrong.append(f"Content-Type is {headers.get('content-type')}")

    def _routed(self, method: str, path: str, query: dict[str, str], raw: bytes) -> tuple[int, Any]:
        for (allowed, pattern), (fields, needed) in ROUTES.items():
            match = re.fullmatch(pattern, path)
            if match and allowed == method:
                given = query if method == "GET" else json.loads(raw)
                faults = [f"{method} {path}: {name}={value!r}" for name, value in given.items()
                          if name not in fields or not fields[name](value)]  # fmt: skip
                faults += [f"{method} {path}: no {name}" for name in needed - given.keys()]
                if query and method != "GET":
                    faults.append(f"{method} {path} has a query")
                self.wrong += faults
                return (422, {"message": faults}) if faults else self._done(method, path, given)
        self.wrong.append(f"there is no {method} {path}")
        return 404, {"message": "Not Found"}

    def _done(self, method: str, path: str, given: dict[str, Any]) -> tuple[int, Any]:
        if path == "/labels":
            if given["name"] in self.labels:
                return 422, {"message": "Validation Failed", "errors": [{"code": "already_exists"}]}
            self.labels.add(given["name"])
            return 201, given
        if method == "GET":
            state = given.get("state", "open")
            found = [i for i in self.issues if state in ("all", i["state"])]
            size, page = int(given.get("per_page", 30)), int(given.get("page", 1))
            return 200, found[(page - 1) * size : page * size]
        if path == "/issues":
            return 201, self.add(**given)
        number = int(path.split("/")[2])
        if path.endswith("/comments"):
            self.comments.append((number, given["body"]))
            return 201, {"id": len(self.comments)}
        self.issues[number - 1].update(given)
        return 200, self.issues[number - 1]


@contextmanager
def github() -> Iterator[Github]:
    """Serve a repository over HTTP on loopback."""
    standin = Github()

    class Handler(BaseHTTPRequestHandler):
        def handle_request(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, body = standin.answer(self.command, self.path, headers, raw)
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    for method in ("GET", "POST", "PATCH", "PUT", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.handle_request)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    standin.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield standin
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

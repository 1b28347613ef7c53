"""A site over real HTTP that asks for a token, and agents that talk to it through every client."""

from __future__ import annotations

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

TOKEN = "very-secret-token-value"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZWNyZXQtdXNlciJ9.c2lnbmF0dXJlLXZhbHVl"

AGENT = '''
import json, os
BASE = os.environ["BASE"]

def steps(question):
    """The requests of every client: method, path, headers, JSON body."""
    token = yield ("GET", "/token", {}, None)
    token = json.loads(token)["access_token"]
    jwt = yield ("GET", "/jwt", {}, None)
    head = {"Authorization": "Bearer " + token}
    found = yield ("POST", f"/search?token={token}&q={question}", head, {"q": question, "jwt": jwt})
    page = yield ("GET", f"/page/{token}/1#v43:3:16", head, None)
    first = yield ("GET", "/count", {}, None)
    second = yield ("GET", "/count", {}, None)
    moved = yield ("GET", "/moved", {}, None)
    return [found, page, first, second, moved]

def result(texts):
    return [{"text": text, "source": "x"} for text in texts]

def drive(question, send):
    plan, answer = steps(question), None
    try:
        while True:
            answer = send(*plan.send(answer))
    except StopIteration as end:
        return result(end.value)

def httpx_sync(question):
    import httpx
    with httpx.Client(follow_redirects=True) as client:
        def send(method, path, headers, body):
            return client.request(method, BASE + path, headers=headers, json=body).text
        return drive(question, send)

async def httpx_async(question):
    import httpx
    async with httpx.AsyncClient(follow_redirects=True) as client:
        plan, answer = steps(question), None
        try:
            while True:
                method, path, headers, body = plan.send(answer)
                reply = await client.request(method, BASE + path, headers=headers, json=body)
                answer = reply.text
        except StopIteration as end:
            return result(end.value)

def with_requests(question):
    import requests
    with requests.Session() as session:
        def send(method, path, headers, body):
            return session.request(method, BASE + path, headers=headers, json=body).text
        return drive(question, send)

def with_urllib3(question):
    import urllib3
    with urllib3.PoolManager() as pool:
        def send(method, path, headers, body):
            data = None if body is None else json.dumps(body)
            return pool.request(method, BASE + path, headers=headers, body=data).data.decode()
        return drive(question, send)

async def with_aiohttp(question):
    import aiohttp
    async with aiohttp.ClientSession() as session:
        plan, answer = steps(question), None
        try:
            while True:
                method, path, headers, body = plan.send(answer)
                async with session.request(method, BASE + path, headers=headers, json=body) as r:
                    answer = await r.text()
        except StopIteration as end:
            return result(end.value)

async def swallows(question):
    import httpx
    try:
        async with httpx.AsyncClient() as client:
            text = (await client.get(BASE + "/page/other?q=" + question)).text
    except httpx.HTTPError as error:
        return {"findings": [], "warnings": [repr(error)]}
    return result([text])

def by_socket(question):
    import socket, urllib.request
    try:
        urllib.request.urlopen(BASE + "/count").read()
    except OSError:
        pass
    return result(["all is well"])

def looks_up(question):
    import socket
    try:
        socket.getaddrinfo("wol.jw.org", 443)
    except OSError:
        return result(["no name"])
    return result(["a name"])

def dies_after_a_miss(question):
    import httpx
    try:
        httpx.get(BASE + "/nowhere")
    finally:
        os._exit(1)

def no_network(question):
    return result(["offline"])

def with_key(question):
    import httpx
    return result([httpx.get(f"{BASE}/page/{os.environ['MY_API_KEY']}").text])

def in_threads(question):
    import httpx
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(4) as pool:
        return result(pool.map(lambda n: httpx.get(f"{BASE}/page/{n}").text, range(8)))
'''


class Site(BaseHTTPRequestHandler):
    """A site with a token, a search, pages in gzip, a counter and a redirect."""

    protocol_version = "HTTP/1.1"
    asked: list[str] = []  # noqa: RUF012 -- shared by all requests on purpose
    encodings: list[str] = []  # noqa: RUF012 -- as above

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.encodings.append(self.headers.get("Accept-Encoding", ""))
        path = urlsplit(self.path).path
        if path == "/moved":
            return self.reply(b"", 302, {"Location": "/page/moved"})
        if path == "/token":
            body = json.dumps({"access_token": TOKEN}).encode()
            return self.reply(body, 200, {"Content-Type": "application/json", "Set-Cookie": "s=1"})
        text = {"/jwt": JWT, "/count": f"count {len(self.asked)}"}.get(path, f"page {path}")
        return self.reply(text.encode(), 200, {"Content-Type": "text/plain"})

    def do_POST(self) -> None:
        self.asked.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        right = self.headers["Authorization"] == f"Bearer {TOKEN}" and body["jwt"] == JWT
        text = f"found {body['q']} {right}"
        self.reply(text.encode(), 200, {"Content-Type": "text/plain"})

    def reply(self, body: bytes, status: int, headers: dict[str, str]) -> None:
        if "gzip" in self.headers.get("Accept-Encoding", "") and body:
            body = gzip.compress(body)
            headers = {**headers, "Content-Encoding": "gzip"}
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Network:
    """A site that can be taken away."""

    def __init__(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

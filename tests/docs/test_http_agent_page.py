"""The request and the reply that the page on one's own agents shows are those of the adapter."""

from __future__ import annotations

import json
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from jw_eval_store.agents.build import build_agent
from jw_eval_store.agents.interface import AgentCall
from jw_eval_store.config.start import CONFIGURATION
from jw_eval_store.domain.settings import AgentSettings
from tests.docs.examples import ROOT, blocks

PAGE = (ROOT / "docs" / "howto" / "wire-up-your-own-agent.md").read_text(encoding="utf-8")


def shown(language: str) -> list[str]:
    return [block.body for block in blocks(PAGE) if block.language == language]


def test_an_agent_over_http_is_asked_and_answers_as_shown() -> None:
    (request,), (reply,) = shown("http"), shown("json")
    head, _, asked = request.partition("\n\n")
    method, path, _ = head.splitlines()[0].split()
    got: list[tuple[str, str, str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            got.append((self.command, self.path, self.headers["Content-Type"], body))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(reply.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Nothing goes to stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings = AgentSettings(adapter="http", target=f"http://127.0.0.1:{server.server_port}{path}")
    agent = build_agent("hope", "the page", settings, ROOT)
    try:
        answer = agent.call(AgentCall("l1_hope_en", json.loads(asked)))
    finally:
        agent.close()
        server.shutdown()
        server.server_close()
    assert got == [(method, path, head.partition("Content-Type: ")[2], json.loads(asked))]
    assert answer.error is None
    assert answer.output is not None
    assert [finding.citation.url for finding in answer.output.findings] == [
        json.loads(reply)["findings"][0]["url"]
    ]


def test_agents_that_are_no_python_are_configured_as_shown() -> None:
    agents: dict[str, Any] = {}
    for body in shown("toml"):
        agents |= tomllib.loads(body)["agents"]
    adapters = [AgentSettings.model_validate(one).adapter for one in agents.values()]
    assert sorted(adapters) == ["command", "http", "mcp"]


def test_the_template_has_an_agent_over_http() -> None:
    block = CONFIGURATION.partition("# [agents.remote]\n")[2].partition("\n\n")[0]
    remote = tomllib.loads("".join(f"{line.removeprefix('# ')}\n" for line in block.splitlines()))
    assert AgentSettings.model_validate(remote).adapter == "http"

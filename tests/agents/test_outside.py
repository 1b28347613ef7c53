"""Agents behind a command, an address and an MCP server: one interface, the same errors."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.agents.build import build_agent
from jw_eval_store.agents.interface import Agent, AgentCall, AgentReply
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings

ANSWERS = """
import json, os, signal, sys, time

def answer(inputs):
    question = inputs["question"]
    print("log of", question, file=sys.stderr, flush=True)
    if question == "hang": time.sleep(60)
    if question == "exit": os._exit(3)
    if question == "kill": os.kill(os.getpid(), signal.SIGKILL)
    if question == "raise": raise ValueError("boom")
    if question == "huge": return {"findings": [{"text": "x" * 2_000_000}]}
    if question == "none": return None
    if question == "outage": return {"findings": [], "warnings": ["ConnectError: refused"]}
    if question == "home": return [{"text": os.environ["HOME"] + os.environ.get("SECRET", "")}]
    return {"query": question, "findings": [{"summary": "s", "citation": {"url": "https://x.y/z"}}]}
"""

COMMAND = "import json, sys\nfrom answers import answer\n" + (
    "inputs = json.load(sys.stdin)\n"
    "if inputs['question'] == 'not json': print('plain text'); sys.exit()\n"
    "if inputs['question'] == 'child':\n"
    "    import subprocess; subprocess.Popen(['sleep', '30'])\n"
    "json.dump(answer(inputs), sys.stdout)\n"
)

MCP = """
import sys
from typing import Any
from mcp.server.fastmcp import FastMCP
from answers import answer
server = FastMCP("sample", port=int(sys.argv[1]) if len(sys.argv) > 1 else 1)

@server.tool()
def ask(question: str) -> dict[str, Any]:
    return answer({"question": question})

@server.tool()
def listed(question: str) -> list[dict[str, str]]:
    return [{"text": question, "source": "rag"}]

@server.tool(structured_output=False)
def as_text(question: str) -> str:
    return "no JSON at all"

server.run("streamable-http" if len(sys.argv) > 1 else "stdio")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("outside")
    (path / "answers.py").write_text(ANSWERS)
    (path / "command.py").write_text(COMMAND)
    (path / "server.py").write_text(MCP)
    return path


class Handler(BaseHTTPRequestHandler):
    """A small service of an agent over HTTP."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        inputs = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = inputs["question"]
        status = {"exit": 500, "down": 503}.get(question, 200)
        if question == "hang":
            time.sleep(1)
        result: Any = {"query": question, "findings": [{"text": "t"}]}
        result = {"none": None, "huge": [{"text": "x" * 2_000_000}]}.get(question, result)
        body = b"plain text" if question == "not json" else json.dumps(result).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/ask"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def agents(folder: Path, address: str) -> Iterator[dict[str, Agent]]:
    command = f"{sys.executable} command.py"  # beside the configuration
    server = f"{sys.executable} {folder / 'server.py'}"
    settings = {
        "command": AgentSettings(adapter="command", target=command, max_output=1_000_000),
        "http": AgentSettings(adapter="http", target=address, max_output=1_000_000),
        "mcp": AgentSettings(adapter="mcp", target=server, tool="ask", max_output=1_000_000),
    }
    built = {name: build_agent(name, "test", s, folder) for name, s in settings.items()}
    yield built
    for agent in built.values():
        agent.close()


def ask(agent: Agent, question: str, timeout: float = 10) -> AgentReply:
    return agent.call(AgentCall("c", {"question": question}, timeout))


@pytest.mark.parametrize("adapter", ["command", "http", "mcp"])
def test_the_result_comes_back_as_an_output(agents: dict[str, Agent], adapter: str) -> None:
    reply = ask(agents[adapter], "what?")
    assert reply.error is None, reply.message + reply.log
    assert reply.output is not None
    assert (reply.output.query, len(reply.output.findings)) == ("what?", 1)


CASES = [
    ("command", "exit", "agent_crash", "status 3"),
    ("command", "kill", "agent_crash", "SIGKILL"),
    ("command", "raise", "agent_crash", "status 1"),
    ("command", "huge", "agent_bad_output", "max_output"),
    ("command", "none", "agent_bad_output", "None"),
    ("command", "not json", "agent_bad_output", "plain text"),
    ("command", "outage", "agent_outage", "ConnectError"),
    ("http", "exit", "agent_crash", "HTTP 500"),
    ("http", "down", "agent_unavailable", "HTTP 503"),
    ("http", "huge", "agent_bad_output", "max_output"),
    ("http", "none", "agent_bad_output", "None"),
    ("http", "not json", "agent_bad_output", "plain text"),
    ("mcp", "exit", "agent_crash", "MCP server"),
    ("mcp", "raise", "agent_crash", "boom"),
    ("mcp", "huge", "agent_bad_output", "max_output"),
    ("mcp", "outage", "agent_outage", "ConnectError"),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("adapter", "question", "code", "shown"), CASES)
def test_what_goes_wrong_is_this_cases_error_and_the_next_goes_on(
    agents: dict[str, Agent], adapter: str, question: str, code: str, shown: str
) -> None:
    reply = ask(agents[adapter], question)
    assert reply.error == code, reply
    assert shown in reply.message
    assert ask(agents[adapter], "fine").error is None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("adapter", ["command", "http", "mcp"])
def test_a_hang_ends_at_its_time_limit(agents: dict[str, Agent], adapter: str) -> None:
    started = time.perf_counter()
    assert ask(agents[adapter], "hang", 0.3).error == "agent_timeout"
    assert time.perf_counter() - started < 4
    assert ask(agents[adapter], "fine").error is None


@pytest.mark.parametrize("adapter", ["command", "mcp"])
def test_what_is_written_to_stderr_is_the_log(agents: dict[str, Agent], adapter: str) -> None:
    assert "log of fine" in ask(agents[adapter], "fine").log


def test_a_command_has_its_own_home_and_a_cut_down_environment(
    agents: dict[str, Agent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "hidden")
    output = ask(agents["command"], "home").output
    assert output is not None
    assert "jw-eval-" in output.findings[0].text
    assert "hidden" not in output.findings[0].text


def test_a_child_that_a_command_leaves_behind_does_not_hold_it_up(
    agents: dict[str, Agent],
) -> None:
    started = time.perf_counter()
    assert ask(agents["command"], "child").error is None
    assert time.perf_counter() - started < 4


def test_a_command_may_have_a_memory_limit(folder: Path) -> None:
    script = "import json; x = 'x' * (2 << 30); print(json.dumps([{'text': 'fits'}]))"
    (folder / "greedy.py").write_text(script)
    settings = AgentSettings(
        adapter="command", target=f"{sys.executable} {folder / 'greedy.py'}", memory_mb=500
    )
    reply = ask(build_agent("a", "test", settings, folder), "q")
    assert reply.error == "agent_crash"
    assert "MemoryError" in reply.log


def test_an_address_where_nobody_answers_is_unavailable(folder: Path) -> None:
    settings = AgentSettings(adapter="http", target="http://127.0.0.1:9/ask")
    agent = build_agent("a", "test", settings, folder)
    assert ask(agent, "q").error == "agent_unavailable"
    agent.close()


def test_an_mcp_server_that_does_not_start_is_unavailable(folder: Path) -> None:
    settings = AgentSettings(adapter="mcp", target=f"{sys.executable} -c pass", tool="ask")
    agent = build_agent("a", "test", settings, folder)
    assert ask(agent, "q").error == "agent_unavailable"
    agent.close()


@pytest.fixture(scope="module")
def mcp_address(folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [sys.executable, str(folder / "server.py"), str(port)], stderr=subprocess.DEVNULL
    ) as server:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
        server.kill()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("tool", "error"),
    [("ask", None), ("listed", None), ("as_text", "agent_bad_output"), ("x", "agent_crash")],
)
def test_mcp_tools_over_http_may_return_dicts_lists_and_texts(
    folder: Path, mcp_address: str, tool: str, error: str | None
) -> None:
    settings = AgentSettings(adapter="mcp", target=mcp_address, tool=tool)
    agent = build_agent("a", "test", settings, folder)
    reply = ask(agent, "q")
    agent.close()
    assert reply.error == error, reply


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (AgentSettings(adapter="command", target="no-such-program-here"), "no program"),
        (AgentSettings(adapter="command", target="./missing.sh --x"), "no program"),
        (AgentSettings(adapter="http", target="localhost:80"), "no address"),
        (AgentSettings(adapter="mcp", target="http://x/mcp"), "names no tool"),
        (AgentSettings(adapter="http", target="http://x", fingerprint=("*.x",)), "matches no file"),
    ],
)
def test_settings_that_cannot_be_right_are_refused(
    folder: Path, settings: AgentSettings, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        build_agent("a", "test", settings, folder)


def test_the_fingerprint_is_what_the_settings_declare(folder: Path, address: str) -> None:
    def fingerprint(*declared: str) -> Any:
        settings = AgentSettings(adapter="http", target=address, fingerprint=declared)
        agent = build_agent("a", "test", settings, folder)
        found = agent.fingerprint()
        agent.close()
        return found

    assert fingerprint() is None
    by_files = fingerprint("*.py")
    assert "answers.py" in by_files.files
    (folder / "extra.py").write_text("new = 1\n")
    assert fingerprint("*.py").fingerprint_hash != by_files.fingerprint_hash
    said = fingerprint(f"command: {sys.executable} -c print(1)")
    assert said == fingerprint(f"command: {sys.executable} -c print(1)")

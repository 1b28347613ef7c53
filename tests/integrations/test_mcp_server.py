"""The MCP server, asked by the SDK's own client over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.runs.conftest import Project

COMMAND = [sys.executable, "-m", "jw_eval_cli", "mcp"]
Talk = Callable[[ClientSession], Any]


@pytest.fixture
def served(project: Project) -> Project:
    project.case("good_one")
    project.case("bad_one", expected="min_findings: 5")
    return project


def environment(root: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(root / "agents")}


@asynccontextmanager
async def over_stdio(root: Path) -> AsyncIterator[ClientSession]:
    server = StdioServerParameters(
        command=COMMAND[0], args=COMMAND[1:], env=environment(root), cwd=root
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


async def called(session: ClientSession, tool: str, **arguments: Any) -> Any:
    """What a tool returns; lists come wrapped."""
    result = await session.call_tool(tool, arguments)
    assert not result.isError, result.content
    structured = result.structuredContent or {}
    return structured["result"] if list(structured) == ["result"] else structured


async def refused(session: ClientSession, tool: str, **arguments: Any) -> str:
    result = await session.call_tool(tool, arguments)
    assert result.isError
    return getattr(result.content[0], "text", "")


def test_a_client_over_stdio_runs_the_suite_and_asks_about_it(served: Project) -> None:
    heard: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    async def talk() -> None:
        async with over_stdio(served.root) as session:
            names = {tool.name for tool in (await session.list_tools()).tools}
            assert names == {
                "run_eval_suite", "list_cases", "show_case", "coverage", "diff", "explain", "query",
            }  # fmt: skip
            result = await session.call_tool("run_eval_suite", {}, progress_callback=hear)
            report = result.structuredContent or {}
            assert (report["gate"]["verdict"], report["layers_run"]) == ("failed", ["l1"])
            assert len(report["results"]) == 2
            await ask_about(session)

    asyncio.run(talk())
    assert heard[-1] == (2, 2)


async def ask_about(session: ClientSession) -> None:
    problems = await called(session, "run_eval_suite", layers=[1], only_problems=True)
    assert [result["case_id"] for result in problems["results"]] == ["bad_one"]
    assert problems["summary"]["l1"]["pass"] == 1
    cases = await called(session, "list_cases", filter={"agent": "answerer"})
    assert [case["case_id"] for case in cases] == ["bad_one", "good_one"]
    shown = await called(session, "show_case", case_id="bad_one")
    assert "min_findings: 5" in shown["yaml"]
    explained = await called(session, "explain", case_id="bad_one")
    assert explained["result"]["verdict"] == "fail"
    compared = await called(session, "diff", before="last")
    assert compared["same"] == 2
    rows = await called(session, "query", sql="SELECT case_id FROM v_case ORDER BY 1", limit=1)
    assert rows == [{"case_id": "bad_one"}]


@pytest.mark.long
def test_mistakes_are_told_with_the_next_step(served: Project) -> None:
    async def talk() -> list[str]:
        async with over_stdio(served.root) as session:
            return [
                await refused(session, "run_eval_suite", filter={"agent": "answerrer"}),
                await refused(session, "run_eval_suite", layers=[4]),
                await refused(session, "query", sql="DELETE FROM run"),
                await refused(session, "show_case", case_id="bad_on"),
                await refused(session, "coverage"),
            ]

    agent, layer, write, case, policy = asyncio.run(talk())
    assert "answerer" in agent
    assert "layers: 1, 2, 3" in layer
    assert "only a SELECT" in write
    assert "bad_one" in case
    assert "coverage" in policy


@pytest.fixture
def address(served: Project) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*COMMAND, "--http", "--port", str(port)]
    with subprocess.Popen(
        command, cwd=served.root, env=environment(served.root), stderr=subprocess.DEVNULL
    ) as server:
        until = time.monotonic() + 60
        while time.monotonic() < until and server.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
        server.terminate()


@pytest.mark.long
def test_a_client_over_http_runs_the_suite(address: str) -> None:
    async def talk() -> dict[str, Any]:
        async with (
            streamable_http_client(address) as (read, write, _),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            found: dict[str, Any] = await called(session, "run_eval_suite", layers=[1])
            return found

    report = asyncio.run(talk())
    assert report["summary"]["l1"]["total"] == 2

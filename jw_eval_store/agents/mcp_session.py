"""A session with an MCP server, open on a thread of its own and used from any."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from jw_eval_store.agents.host.printed import cut_to_end

START_TIMEOUT = 60.0
"""Seconds for a server to start and to greet."""


@dataclass(frozen=True)
class Server:
    """Where the server is: a command with its folder and environment, else an address."""

    words: tuple[str, ...]
    url: str
    folder: Path
    environment: dict[str, str]

    @property
    def stderr(self) -> Path:
        """File of what the command writes to stderr."""
        return self.folder.parent / "stderr.log"


class McpSession:
    """Connects at once; raises whatever keeps it from that."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._session: Future[ClientSession] = Future()
        self._thread = threading.Thread(target=self._serve, name="jw-eval-mcp", daemon=True)
        self._thread.start()
        try:
            self._session.result(START_TIMEOUT)
        except BaseException:
            self.close()
            raise

    def call_tool(self, tool: str, arguments: dict[str, Any], timeout: float) -> CallToolResult:
        """The tool's result. Raises McpError, or TimeoutError."""
        call = self._session.result(0).call_tool(tool, arguments, timedelta(seconds=timeout))
        future = asyncio.run_coroutine_threadsafe(call, self._loop)
        try:
            return future.result(timeout + 1)
        finally:
            future.cancel()

    def printed(self, since: int) -> str:
        """What the server wrote to stderr since a position, see `position`."""
        if self.position() <= since:
            return ""
        with self._server.stderr.open("rb") as file:
            file.seek(since)
            return cut_to_end(file.read().decode("utf-8", "replace"))

    def position(self) -> int:
        """Bytes that the server has written to stderr until now."""
        return self._server.stderr.stat().st_size if self._server.stderr.exists() else 0

    def close(self) -> None:
        """End the session, and the server where it is a command."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(10)

    def _serve(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._hold())

    async def _hold(self) -> None:
        """Keep the session open until closing: it must end in the task that opened it."""
        try:
            async with (
                _streams(self._server) as (read, write),
                ClientSession(read, write) as session,
            ):
                await session.initialize()
                self._session.set_result(session)
                await self._closing.wait()
        except BaseException as exc:
            if not self._session.done():
                self._session.set_exception(_first(exc))


@asynccontextmanager
async def _streams(server: Server) -> AsyncIterator[tuple[Any, Any]]:
    if not server.words:
        async with streamable_http_client(server.url) as (read, write, _):
            yield read, write
        return
    program, *words = server.words
    parameters = StdioServerParameters(
        command=program, args=words, env=server.environment, cwd=server.folder
    )
    with server.stderr.open("a") as errors:
        async with stdio_client(parameters, errlog=errors) as (read, write):
            yield read, write


def _first(exc: BaseException) -> BaseException:
    """The cause that a group of exceptions was made of."""
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    return exc

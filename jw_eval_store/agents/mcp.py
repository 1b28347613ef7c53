"""Agents that are a tool of an MCP server, over stdio (a command) or HTTP (an address)."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jw_eval_store.agents.declared import command_line
from jw_eval_store.agents.interface import AgentCall, AgentReply
from jw_eval_store.agents.outside import OutsideAgent
from jw_eval_store.agents.replies import crash, error, judged, time_limit, timed_out, with_log
from jw_eval_store.agents.scratch import Scratch
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings

if TYPE_CHECKING:
    from mcp.types import CallToolResult

    from jw_eval_store.agents.mcp_session import McpSession

_REQUEST_TIMEOUT = 408
"""Code of the error that the SDK raises at the time limit."""


class McpAgent(OutsideAgent):
    """Calls `tool` with the case's input. One warm server serves all calls.

    Raises UsageError where the SDK, the tool's name or the program is missing.
    """

    def __init__(self, name: str, origin: str, settings: AgentSettings, root: Path) -> None:
        super().__init__(name, origin, settings, root)
        if settings.tool is None:
            raise UsageError(
                f"agent {name!r} is of adapter mcp and names no tool",
                hint="add tool = '...', the name that the server lists",
            )
        _require_sdk(name)
        is_url = settings.target.startswith(("http://", "https://"))
        self._tool = settings.tool
        self._words = [] if is_url else command_line(settings.target, root)
        self._scratch = Scratch()
        self._session: McpSession | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the session and the server."""
        self._drop(self._session)
        self._scratch.remove()

    def _ask(self, call: AgentCall, inputs: dict[str, Any]) -> AgentReply:
        from mcp import McpError

        try:
            session = self._connected()
        except Exception as exc:
            return error("agent_unavailable", f"{self.settings.target}: {exc or repr(exc)}")
        since = session.position()
        try:
            result = session.call_tool(self._tool, inputs, time_limit(call, self.settings))
            reply = self._reply(call, result)
        except TimeoutError:
            reply = self._late(call, session)
        except McpError as exc:
            late = exc.error.code == _REQUEST_TIMEOUT
            reply = self._late(call, session) if late else self._lost(exc, session)
        return with_log(reply, session.printed(since))

    def _connected(self) -> McpSession:
        from jw_eval_store.agents.mcp_session import McpSession, Server

        with self._lock:
            if self._session is None:
                environment = self._scratch.environment(self.settings)
                self._session = McpSession(
                    Server(
                        tuple(self._words), self.settings.target, self._scratch.work, environment
                    )
                )
            return self._session

    def _late(self, call: AgentCall, session: McpSession) -> AgentReply:
        reply = timed_out(call, self.settings)
        self._drop(session)
        return reply

    def _lost(self, exc: Exception, session: McpSession) -> AgentReply:
        self._drop(session)
        return crash(f"the MCP server: {exc}")

    def _drop(self, session: McpSession | None) -> None:
        """Give a session up; the next call opens another."""
        with self._lock:
            if self._session is session:
                self._session = None
        if session is not None:
            session.close()

    def _reply(self, call: AgentCall, result: CallToolResult) -> AgentReply:
        if result.isError:
            return crash(_text(result) or "the tool reports an error without a text")
        return judged(_content(result), self.settings, call)


def _content(result: CallToolResult) -> Any:
    """The tool's result: structured (lists come wrapped in `result`), else its text as JSON."""
    structured = result.structuredContent
    if structured is not None:
        return structured["result"] if list(structured) == ["result"] else structured
    text = _text(result)
    try:
        return json.loads(text)
    except ValueError:
        return text


def _text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


def _require_sdk(name: str) -> None:
    try:
        import mcp  # noqa: F401  (is it there at all?)
    except ImportError as exc:
        raise UsageError(
            f"agent {name!r} needs the MCP SDK", hint="pip install 'jw-eval-store[mcp]'"
        ) from exc

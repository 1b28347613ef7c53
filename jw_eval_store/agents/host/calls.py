"""One call of the agent inside its host: arguments in, plain JSON or a reason out."""

from __future__ import annotations

import asyncio
import inspect
import os
import time
from collections.abc import Callable
from typing import Any, Optional

from . import clock, frames, printed
from .depends import depends_on
from .failures import arguments, describe
from .plain import plain

Message = dict[str, Any]


class Calls:
    """The agent's function, with what stays the same for all its calls."""

    def __init__(self, function: Callable[..., Any], start: Message) -> None:
        self._function = function
        self._rename: dict[str, str] = start["rename"]
        self._max_output: int = start["max_output"]
        self._folder = os.getcwd()
        self._environment = dict(os.environ)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._running: dict[int, asyncio.Task[Any]] = {}

    def answer(self, message: Message) -> Message:
        """Call a synchronous agent. An awaitable that it returns is awaited."""
        log, started = self._begin(message), time.perf_counter()
        kwargs = arguments(message["input"], self._rename)
        try:
            result = self._function(**kwargs)
            if inspect.isawaitable(result):
                self._loop = self._loop or asyncio.new_event_loop()
                asyncio.set_event_loop(self._loop)
                result = self._loop.run_until_complete(result)
            reply = self._result(message, result)
        except BaseException as exc:
            reply = self._raised(exc, kwargs)
        return self._end(message, reply, log, started)

    async def answer_async(self, message: Message) -> Message:
        """Call an asynchronous agent, as a task of its own that `cancel` can reach."""
        log, started = self._begin(message), time.perf_counter()
        kwargs = arguments(message["input"], self._rename)
        task = asyncio.ensure_future(self._guarded(kwargs))
        self._running[message["id"]] = task
        try:
            outcome = await task
            if isinstance(outcome, BaseException):
                reply = self._raised(outcome, kwargs)
            else:
                reply = self._result(message, outcome[0])
        except BaseException as exc:
            reply = self._raised(exc, kwargs)
        del self._running[message["id"]]
        return self._end(message, reply, log, started)

    def cancel(self, number: int) -> None:
        """Ask the running call to end."""
        if number in self._running:
            self._running[number].cancel()

    def depends(self, message: Message) -> Message:
        """What the agent depends on, for its fingerprint."""
        return {"id": message["id"], "depends": depends_on(self._function, message["roots"])}

    async def _guarded(self, kwargs: Message) -> Any:
        """The result in a tuple, or the exception: asyncio lets SystemExit tear down its loop."""
        try:
            return (await self._function(**kwargs),)
        except BaseException as exc:
            return exc

    def _begin(self, message: Message) -> printed.Log:
        """Give the call its log, and undo what an earlier one did to folder and environment."""
        log = printed.Log()
        printed.current.set(log)
        printed.route()
        if message["now"]:
            clock.set_now(message["now"])
        if message["alone"]:
            os.chdir(self._folder)
            if dict(os.environ) != self._environment:
                os.environ.clear()
                os.environ.update(self._environment)
        return log

    def _result(self, message: Message, result: Any) -> Message:
        try:
            value = plain(result)
        except Exception as exc:
            return _error("agent_bad_output", f"the result cannot be read: {exc!r}")
        size = len(frames.encode(value))
        if size > self._max_output + 4096:
            limit = f"max_output = {self._max_output:,}"
            return _error("agent_bad_output", f"the output has {size:,} bytes, more than {limit}")
        return {"result": value}

    def _raised(self, exc: BaseException, kwargs: Message) -> Message:
        reply = _error("agent_crash", describe(exc, self._function, kwargs))
        return {**reply, "unwell": isinstance(exc, MemoryError)}

    def _end(self, message: Message, reply: Message, log: printed.Log, started: float) -> Message:
        milliseconds = round((time.perf_counter() - started) * 1000)
        return {"id": message["id"], **reply, "ms": milliseconds, "log": log.text()}


def _error(code: str, message: str) -> Message:
    return {"error": code, "message": message}

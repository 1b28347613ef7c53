"""One call of the agent inside its host: arguments in, plain JSON or a reason out."""

from __future__ import annotations

import asyncio
import inspect
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

from . import clock, frames, printed
from . import tape as tapes
from .depends import depends_on, folders_of
from .failures import arguments, describe
from .plain import plain
from .usage import Usage

Message = dict[str, Any]


@dataclass
class Running:
    """What a call has of its own while it runs."""

    number: int
    kwargs: Message
    log: printed.Log
    tape: Optional[tapes.Tape]
    started: float


class Calls:
    """The agent's function, with what stays the same for all its calls.

    `notify` tells the tool at once what it must know even if the agent never ends.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        start: Message,
        usage: Usage,
        notify: Callable[[Message], None],
    ) -> None:
        self._function = function
        self._start = start
        self._notify = notify
        self._usage = usage
        self.folders = start["folders"] or folders_of(function, start["roots"])
        usage.watch(self.folders)
        self._rules = tapes.Rules(**start["rules"])
        self._folder = os.getcwd()
        self._environment = dict(os.environ)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._tasks: dict[int, asyncio.Task[Any]] = {}

    def answer(self, message: Message) -> Message:
        """Call a synchronous agent. An awaitable that it returns is awaited."""
        running = self._begin(message)
        try:
            result = self._function(**running.kwargs)
            if inspect.isawaitable(result):
                self._loop = self._loop or asyncio.new_event_loop()
                asyncio.set_event_loop(self._loop)
                result = self._loop.run_until_complete(result)
            reply = self._result(result)
        except BaseException as exc:
            reply = self._raised(exc, running.kwargs)
        return self._end(running, reply)

    async def answer_async(self, message: Message) -> Message:
        """Call an asynchronous agent, as a task of its own that `cancel` can reach."""
        running = self._begin(message)
        task = asyncio.ensure_future(self._guarded(running.kwargs))
        self._tasks[running.number] = task
        try:
            outcome = await task
            if isinstance(outcome, BaseException):
                reply = self._raised(outcome, running.kwargs)
            else:
                reply = self._result(outcome[0])
        except BaseException as exc:
            reply = self._raised(exc, running.kwargs)
        del self._tasks[running.number]
        return self._end(running, reply)

    def cancel(self, number: int) -> None:
        """Ask the running call to end."""
        if number in self._tasks:
            self._tasks[number].cancel()

    def depends(self, message: Message) -> Message:
        """What the agent depends on, for its fingerprint."""
        with self._usage.paused():
            depends = depends_on(self._function, self.folders)
        return {"id": message["id"], "depends": depends}

    async def _guarded(self, kwargs: Message) -> Any:
        """The result in a tuple, or the exception: asyncio lets SystemExit tear down its loop."""
        try:
            return (await self._function(**kwargs),)
        except BaseException as exc:
            return exc

    def _begin(self, message: Message) -> Running:
        """Give the call its log and tape, and undo what an earlier one did to the process."""
        log = printed.Log()
        printed.current.set(log)
        printed.route()
        if message["now"]:
            clock.set_now(message["now"])
        if message["alone"]:
            self._restore()
        kwargs = arguments(message["input"], self._start["rename"])
        tape = self._tape(message)
        return Running(message["id"], kwargs, log, tape, time.perf_counter())

    def _restore(self) -> None:
        os.chdir(self._folder)
        if dict(os.environ) != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)

    def _tape(self, message: Message) -> Optional[tapes.Tape]:
        asked = message["tape"]
        if asked is None:
            return None
        number = message["id"]
        tape = tapes.Tape(
            self._rules,
            asked["record"],
            asked["exchanges"],
            lambda miss: self._notify({"id": number, "miss": miss}),
        )
        tapes.begin(tape)
        return tape

    def _result(self, result: Any) -> Message:
        try:
            value = plain(result)
        except Exception as exc:
            return _error("agent_bad_output", f"the result cannot be read: {exc!r}")
        size, most = len(frames.encode(value)), self._start["max_output"]
        if size > most + 4096:
            text = f"the output has {size:,} bytes, more than max_output = {most:,}"
            return _error("agent_bad_output", text)
        return {"result": value}

    def _raised(self, exc: BaseException, kwargs: Message) -> Message:
        reply = _error("agent_crash", describe(exc, self._function, kwargs))
        return {**reply, "unwell": isinstance(exc, MemoryError)}

    def _end(self, running: Running, reply: Message) -> Message:
        milliseconds = round((time.perf_counter() - running.started) * 1000)
        reply = {"id": running.number, **reply, "ms": milliseconds, "log": running.log.text()}
        reply["used"] = self._usage.fresh()
        if running.tape is not None:
            tapes.end(running.tape)
            if running.tape.recording:
                reply["exchanges"] = running.tape.exchanges()
        return reply


def _error(code: str, message: str) -> Message:
    return {"error": code, "message": message}

"""Agents in the tool's own process: quick to call, but only as isolated as threads can be.

Each call runs on a worker thread with its own event loop, so that a time limit holds for code that
hangs, too: the worker is left behind (a daemon) and the next call gets another. A crash of the
interpreter is the tool's crash; what needs more isolation runs in a host process.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any

from jw_eval_store.agents.beside import hashes_beside
from jw_eval_store.agents.fingerprints import fingerprint_of
from jw_eval_store.agents.host import printed
from jw_eval_store.agents.host.depends import depends_on, folders_of
from jw_eval_store.agents.host.failures import arguments, describe
from jw_eval_store.agents.imported import outdated
from jw_eval_store.agents.interface import Agent, AgentCall, AgentFingerprint, AgentReply
from jw_eval_store.agents.replies import crash, error, judged, time_limit, timed_out
from jw_eval_store.domain.settings import AgentSettings

GRACE = 0.5
"""Seconds that a cancelled asynchronous agent gets to end before its worker is left behind."""

_TIMED_OUT = object()


class InProcessAgent(Agent):
    """A Python callable, synchronous or not.

    Its fingerprint covers its roots, or its distribution with what that imports beside it.
    """

    def __init__(
        self,
        name: str,
        origin: str,
        function: Callable[..., Any],
        settings: AgentSettings,
        roots: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.origin = origin
        self._function = function
        self._settings = settings
        self._roots = roots or {}
        self._idle: list[_Worker] = []
        self._outdated: list[str] = []
        self._lost = False
        self._closed = False
        printed.begin()

    def fingerprint(self) -> AgentFingerprint | None:
        """Content of its files now; none where they are unknown (`__main__`, a bare module)."""
        folders = folders_of(self._function, self._roots)
        self._outdated = self._look(folders)
        depends = depends_on(self._function, folders)
        if depends is not None and not self._roots:
            depends = {**depends, "files": {**hashes_beside(folders), **depends["files"]}}
        return fingerprint_of(self.name, self.origin, self._settings, depends)

    def call(self, call: AgentCall) -> AgentReply:
        """Ask once. Never raises for what the agent does, SystemExit included."""
        if call.now is not None or call.record:
            wanted = "a frozen clock (now)" if call.now is not None else "recording"
            return error(
                "agent_unavailable",
                f'{wanted} needs a host process: set isolation = "host" for this agent',
            )
        if self._outdated:
            return error(
                "agent_unavailable",
                f"{self._outdated[0]} has changed since this process imported it, and its old code"
                ' would answer: start the process again, or set isolation = "host"',
            )
        started = time.perf_counter()
        log = printed.Log()
        outcome = self._run(call, log)
        reply = self._reply(call, outcome)
        return AgentReply(
            reply.output,
            round((time.perf_counter() - started) * 1000),
            reply.error,
            reply.message,
            log.text(),
        )

    def close(self) -> None:
        """Let idle workers end. One that hangs keeps the print routers, lest it writes to ours."""
        if self._closed:
            return
        self._closed = True
        self._look(folders_of(self._function, self._roots))  # what calls have imported
        for worker in self._idle:
            worker.stop()
        self._idle.clear()
        if not self._lost:
            printed.end()

    def _look(self, folders: Mapping[str, str]) -> list[str]:
        """The agent's imported files that are no longer what was imported."""
        function = inspect.unwrap(getattr(self._function, "func", self._function))
        own = getattr(sys.modules.get(getattr(function, "__module__", "")), "__file__", None)
        return outdated([*folders.values(), *([own] if own else [])])

    def _run(self, call: AgentCall, log: printed.Log) -> object:
        printed.route()
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = _Worker(f"agent-{self.name}")
        kwargs = arguments(call.input, self._settings.rename)
        outcome = worker.ask(self._function, kwargs, log, time_limit(call, self._settings))
        if worker.busy:
            self._lost = True
        else:
            self._idle.append(worker)
        return outcome

    def _reply(self, call: AgentCall, outcome: object) -> AgentReply:
        if outcome is _TIMED_OUT:
            return timed_out(call, self._settings)
        if isinstance(outcome, _Raised):
            return crash(outcome.message)
        return judged(outcome, self._settings, call)


class _Raised:
    """What the agent raised, as text: the exception itself would keep its frames alive."""

    def __init__(self, message: str) -> None:
        self.message = message


class _Worker:
    """A daemon thread with an event loop, running one call at a time."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._results: SimpleQueue[object] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self.busy = False
        threading.Thread(target=self._serve, name=name, daemon=True).start()

    def ask(
        self, function: Callable[..., Any], kwargs: dict[str, Any], log: printed.Log, timeout: float
    ) -> object:
        """The function's result, _Raised or _TIMED_OUT. `busy` afterwards: it still hangs."""
        self.busy = True
        self._jobs.put(lambda: self._results.put(self._call(function, kwargs, log)))
        outcome = self._wait(timeout)
        if self.busy and self._cancel():
            self._wait(GRACE)
        return outcome

    def stop(self) -> None:
        """End the thread once it is idle."""
        self._jobs.put(None)

    def _wait(self, timeout: float) -> object:
        try:
            outcome = self._results.get(timeout=timeout)
        except Empty:
            return _TIMED_OUT
        self.busy = False
        return outcome

    def _cancel(self) -> bool:
        loop, task = self._loop, self._task
        if loop is None or task is None:
            return False
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(task.cancel)
        return True

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            copy_context().run(job)
        if self._loop is not None:
            self._loop.close()

    def _call(self, function: Callable[..., Any], kwargs: dict[str, Any], log: printed.Log) -> Any:
        printed.current.set(log)
        try:
            result = function(**kwargs)
            return self._finish(result) if inspect.isawaitable(result) else result
        except BaseException as exc:
            return _Raised(describe(exc, function, kwargs))

    def _finish(self, awaitable: Any) -> Any:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._task = self._loop.create_task(_guarded(awaitable))
        try:
            outcome = self._loop.run_until_complete(self._task)
        finally:
            self._task = None
            self._end_rest(self._loop)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def _end_rest(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancel what the call left running, so that it cannot disturb the next one."""
        rest = asyncio.all_tasks(loop)
        for task in rest:
            task.cancel()
        if rest:
            loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())


async def _guarded(awaitable: Any) -> Any:
    """The result, or the exception as a value: asyncio lets SystemExit tear down its loop."""
    try:
        return await awaitable
    except BaseException as exc:
        return exc

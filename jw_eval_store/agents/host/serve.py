"""The host's work: load one agent, and answer calls; at once if it is asynchronous."""

from __future__ import annotations

import asyncio
import faulthandler
import inspect
import os
import resource
import shutil
import signal
import sys
import threading
from queue import SimpleQueue
from typing import Any

from . import clients, clock, contexts, frames, network, printed
from .calls import Calls
from .load import TargetError, extend_path, import_failure, load
from .usage import Usage


def serve(requests: int, replies: int) -> None:
    """Read what to be from the first message, then answer until the pipe ends."""
    channel = Channel(requests, replies)
    start = channel.receive()
    usage = Usage()
    _prepare(start)
    try:
        function = load(start["target"])
    except TargetError as exc:
        channel.send({"failed": str(exc), "hint": exc.hint})
        return
    except BaseException as exc:
        channel.send({"failed": import_failure(exc), "hint": None})
        return
    calls = Calls(function, start, usage, channel.send)
    asynchronous = inspect.iscoroutinefunction(function)
    channel.send({"ready": {"asynchronous": asynchronous, "folders": calls.folders}})
    (_serve_asynchronous if asynchronous else _serve_synchronous)(channel, calls)


class Channel:
    """Both pipes. Replies come from several tasks, so writing takes a lock."""

    def __init__(self, requests: int, replies: int) -> None:
        self._requests = requests
        self._replies = replies
        self._lock = threading.Lock()
        self.scratch = ""

    def receive(self) -> Any:
        """The next message; at the end of the pipe, the end of this process and its children."""
        try:
            message = frames.receive(self._requests)
        except (EOFError, OSError):
            shutil.rmtree(self.scratch, ignore_errors=True) if self.scratch else None
            os.killpg(0, signal.SIGKILL)
            raise
        self.scratch = message.get("scratch", self.scratch)
        return message

    def send(self, message: Any) -> None:
        """Write one message, after all that was printed."""
        sys.stdout.flush()
        sys.stderr.flush()
        with self._lock:
            frames.send(self._replies, frames.encode(message))


def _prepare(start: dict[str, Any]) -> None:
    faulthandler.enable()
    if start["memory_mb"]:
        limit = start["memory_mb"] * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    contexts.inherit_in_threads()
    if start["frozen"]:
        clock.set_now(start["frozen"])
        clock.install()
    clients.watch()
    if not start["network"]:
        network.close(loopback=start["rules"]["loopback"])
    extend_path(start["path"])
    printed.begin()


def _serve_synchronous(channel: Channel, calls: Calls) -> None:
    """Calls run on the main thread, outside of any event loop, as a script would call them."""
    waiting: SimpleQueue[Any] = SimpleQueue()

    def read() -> None:
        while True:
            waiting.put(channel.receive())

    threading.Thread(target=read, daemon=True).start()
    while True:
        message = waiting.get()
        channel.send(calls.depends(message) if "depends" in message else calls.answer(message))


def _serve_asynchronous(channel: Channel, calls: Calls) -> None:
    """Each call is a task of one event loop on the main thread."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    tasks: dict[int, asyncio.Task[Any]] = {}

    async def answer(message: Any) -> None:
        reply = await calls.answer_async(message)
        del tasks[message["id"]]
        if not tasks:
            await _end_rest()
        channel.send(reply)

    def handle(message: Any) -> None:
        if "depends" in message:
            channel.send(calls.depends(message))
        elif "cancel" not in message:
            tasks[message["id"]] = loop.create_task(answer(message))
        elif message["cancel"] in tasks:
            calls.cancel(message["cancel"])

    def read() -> None:
        while True:
            loop.call_soon_threadsafe(handle, channel.receive())

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            loop.run_forever()
        except BaseException as exc:  # SystemExit of a task that the agent started
            print(f"a task of the agent ended with {exc!r}", file=sys.stderr)


async def _end_rest() -> None:
    """Cancel what calls left running, so that it cannot disturb the next one."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)

"""Agents behind a command: the input as JSON on stdin, the result as JSON on stdout."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from jw_eval_store.agents.declared import command_line
from jw_eval_store.agents.host.printed import Log
from jw_eval_store.agents.interface import AgentCall, AgentReply
from jw_eval_store.agents.outside import OutsideAgent
from jw_eval_store.agents.replies import (
    crash,
    error,
    how_it_ended,
    judged,
    time_limit,
    timed_out,
    with_log,
)
from jw_eval_store.agents.scratch import Scratch
from jw_eval_store.agents.spawned import POLL, available
from jw_eval_store.domain.settings import AgentSettings

_LIMITED = ("/bin/sh", "-c", 'ulimit -v "$0" && exec "$@"')


class CommandAgent(OutsideAgent):
    """Starts the command once per call, with a HOME and a working folder of its own.

    What it writes to stderr is the log. Raises UsageError where the program does not exist.
    """

    def __init__(self, name: str, origin: str, settings: AgentSettings, root: Path) -> None:
        super().__init__(name, origin, settings, root)
        words = command_line(settings.target, root)
        memory = settings.memory_mb
        self._words = [*_LIMITED, str(memory * 1024), *words] if memory else words

    def _ask(self, call: AgentCall, inputs: dict[str, Any]) -> AgentReply:
        scratch, log = Scratch(), Log()
        try:
            reply = self._run(call, json.dumps(inputs).encode(), scratch, log)
        except OSError as exc:
            reply = error("agent_unavailable", f"the command cannot be started: {exc}")
        finally:
            scratch.remove()
        return with_log(reply, log.text())

    def _run(self, call: AgentCall, inputs: bytes, scratch: Scratch, log: Log) -> AgentReply:
        limit = call.max_output or self.settings.max_output
        deadline = time.monotonic() + time_limit(call, self.settings)
        with subprocess.Popen(
            self._words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=scratch.work,
            env=scratch.environment(self.settings),
            start_new_session=True,
        ) as process:
            try:
                output = _talk(process, inputs, log, limit, deadline)
                if len(output) <= limit:
                    process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                return timed_out(call, self.settings)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return self._result(call, output, process.returncode, limit)

    def _result(self, call: AgentCall, output: bytes, code: int, limit: int) -> AgentReply:
        if len(output) > limit:
            return error("agent_bad_output", f"more than max_output = {limit:,} bytes on stdout")
        if code != 0:
            return crash(f"the command {how_it_ended(code)}")
        return from_json(output, self.settings, call)


def from_json(raw: bytes, settings: AgentSettings, call: AgentCall) -> AgentReply:
    """The reply for a result as JSON text."""
    try:
        result = json.loads(raw)
    except ValueError as exc:
        return error("agent_bad_output", f"no JSON came ({exc}) but {raw[:120]!r}")
    return judged(result, settings, call)


def _talk(
    process: subprocess.Popen[bytes], inputs: bytes, log: Log, limit: int, deadline: float
) -> bytes:
    """Feed the input and read until both outputs end, or one byte more than `limit` has come.

    Raises subprocess.TimeoutExpired at the deadline.
    """
    stdin, stdout, stderr = _pipes(process)
    output, left = bytearray(), memoryview(inputs)
    reading = [stdout, stderr]
    while reading and len(output) <= limit:
        if time.monotonic() > deadline:
            raise subprocess.TimeoutExpired(process.args, 0)
        writing = [] if stdin.closed else [stdin]
        readable, writable, _ = select.select(reading, writing, [], POLL)
        if writable:
            left = _feed(stdin, left)
        if not readable and process.poll() is not None:
            break  # a child that it left behind keeps the pipes open
        for pipe in readable:
            piece = available(pipe.fileno())
            if pipe is stdout:
                output += piece
            else:
                log.write(piece.decode("utf-8", "replace"))
            if not piece:
                reading.remove(pipe)
    return bytes(output)


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    pipes = (process.stdin, process.stdout, process.stderr)
    for pipe in pipes:
        if pipe is None:
            raise ValueError("the command was started without pipes")
        os.set_blocking(pipe.fileno(), False)
    return pipes  # type: ignore[return-value]  # checked above, one by one


def _feed(stdin: IO[bytes], left: memoryview) -> memoryview:
    """Write what fits, and close at the end; a command need not read its input."""
    try:
        left = left[os.write(stdin.fileno(), left) :]
    except BrokenPipeError:
        left = left[:0]
    if not left:
        stdin.close()
    return left

"""A started host as the operating system sees it: a process, three pipes and temporary folders."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from jw_eval_store.agents.host.frames import encode
from jw_eval_store.agents.replies import how_it_ended
from jw_eval_store.agents.scratch import Scratch
from jw_eval_store.domain.settings import AgentSettings

POLL = 0.25
"""Seconds between looks whether the process still lives, where its pipes are silent."""

_BOOT = Path(__file__).parent / "host" / "boot.py"
_PIECE = 1 << 20


class Spawned:
    """Start with `python`; raises OSError where that cannot be run."""

    def __init__(self, python: str, settings: AgentSettings) -> None:
        self.scratch = Scratch()
        theirs_in, self._requests = os.pipe()
        self.replies, theirs_out = os.pipe()
        self.log, log_out = os.pipe()
        self._writing = threading.Lock()
        for fd in (self._requests, self.replies, self.log):
            os.set_blocking(fd, False)
        try:
            self.process = subprocess.Popen(
                [python, str(_BOOT), str(theirs_in), str(theirs_out)],
                stdin=subprocess.DEVNULL,
                stdout=log_out,
                stderr=log_out,
                pass_fds=(theirs_in, theirs_out),
                cwd=self.scratch.work,
                env=self.scratch.environment(settings),
                start_new_session=True,
            )
        except OSError:
            self.release()
            raise
        finally:
            for fd in (theirs_in, theirs_out, log_out):
                os.close(fd)

    def send(self, message: Any, timeout: float) -> bool:
        """Write a message, but never for longer than the time limit: who hangs does not read.

        False where not all of it could be written.
        """
        left, deadline = memoryview(encode(message)), time.monotonic() + timeout
        with self._writing, contextlib.suppress(OSError, ValueError):
            while left and (wait := deadline - time.monotonic()) > 0:
                if ready([], [self._requests], min(wait, POLL)):
                    left = left[os.write(self._requests, left) :]
        return not left

    def kill(self) -> None:
        """End the process and all that it started, at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> str:
        """Make sure that it has ended, and say how, for people."""
        self.kill()
        return f"the agent's process {how_it_ended(self.process.wait())}"

    def release(self) -> None:
        """Close the pipes and remove the folders."""
        with self._writing:
            for fd in (self._requests, self.replies, self.log):
                os.close(fd)
            self._requests = self.replies = self.log = -1
        self.scratch.remove()


def ready(reading: list[int], writing: list[int], timeout: float) -> set[int]:
    """Which of the pipes can be read or written, or have ended, within so many seconds."""
    poll = select.poll()
    for fds, event in ((reading, select.POLLIN), (writing, select.POLLOUT)):
        for fd in fds:
            poll.register(fd, event)
    return {fd for fd, _ in poll.poll(timeout * 1000)}


def available(fd: int) -> bytes:
    """What a non-blocking pipe holds now."""
    found = bytearray()
    with contextlib.suppress(BlockingIOError):
        while piece := os.read(fd, _PIECE):
            found += piece
    return bytes(found)

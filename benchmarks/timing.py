"""Time whole processes: what a user waits for, interpreter start and imports included.

They find bytecode as an installed package does: where `PYTHONDONTWRITEBYTECODE` is set, or the
checkout is fresh, Python would compile every module at every start. It is kept in a folder of its
own, filled by the first call of each command.
"""

from __future__ import annotations

import atexit
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Timing:
    """Several runs of one command: seconds by the clock, and of the processor (0: not known).

    `output` is what the last one printed.
    """

    seconds: tuple[float, ...]
    processor: tuple[float, ...]
    output: str

    @property
    def median(self) -> float:
        """The figure to quote."""
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        wall = f"{self.median:.2f} s ({min(self.seconds):.2f}-{max(self.seconds):.2f})"
        return f"{wall}, processor {statistics.median(self.processor):.2f} s"


def timed(
    command: Sequence[str],
    folder: Path,
    *,
    runs: int = 5,
    expect: int = 0,
    before: Callable[[], None] = lambda: None,
) -> Timing:
    """Run a command several times; raises RuntimeError where it doesn't end with `expect`."""
    seconds, processor, output = [], [], ""
    for _ in range(runs):
        before()
        started, spent = time.perf_counter(), _of_children()
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, env=_environment()
        )
        seconds.append(time.perf_counter() - started)
        processor.append(_of_children() - spent)
        output = done.stdout
        if done.returncode != expect:
            raise RuntimeError(f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return Timing(tuple(seconds), tuple(processor), output)


def load() -> str:
    """How busy the machine is: processes that wanted a processor in the last minute."""
    if not hasattr(os, "getloadavg"):  # Windows
        return "not known"
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def _of_children() -> float:
    """Seconds of user and system time of the processes that have ended so far."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _environment() -> dict[str, str]:
    own = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**own, "PYTHONPYCACHEPREFIX": _bytecode()}


@cache
def _bytecode() -> str:
    folder = tempfile.mkdtemp(prefix="bytecode-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder

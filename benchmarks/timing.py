"""Time whole processes: what a user waits for, interpreter start and imports included."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Timing:
    """Wall seconds of several runs of one command."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The figure to quote."""
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        return f"{self.median:.2f} s ({min(self.seconds):.2f}-{max(self.seconds):.2f})"


def timed(
    command: Sequence[str],
    folder: Path,
    *,
    runs: int = 5,
    expect: int = 0,
    before: Callable[[], None] = lambda: None,
) -> Timing:
    """Run a command several times; raises RuntimeError where it doesn't end with `expect`."""
    seconds = []
    for _ in range(runs):
        before()
        started = time.perf_counter()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        seconds.append(time.perf_counter() - started)
        if done.returncode != expect:
            raise RuntimeError(f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return Timing(tuple(seconds))

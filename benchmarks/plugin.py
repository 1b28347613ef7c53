"""What the pytest plugin costs test suites that don't use it.

python -m benchmarks plugin
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


def figures(quick: bool) -> Iterator[tuple[str, str, str]]:
    """Processor time of a suite of one empty test, with the plugin and without, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
        pairs = [
            (_processor_seconds(PYTEST, folder), _processor_seconds(_without(), folder))
            for _ in range(10 if quick else 40)
        ][1:]
    ratio = statistics.median(installed / blocked for installed, blocked in pairs)
    installed = statistics.median(pair[0] for pair in pairs)
    what = "pytest with the plugin installed and not used, processor time"
    yield what, f"{installed:.3f} s, {ratio:.3f} x without it", "no measurable difference"


def _without() -> list[str]:
    return [*PYTEST, "-p", "no:jw-eval"]


def _processor_seconds(command: Sequence[str], folder: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

"""The command line as people call it: a process of its own, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., subprocess.CompletedProcess[str]]
COMMAND = (sys.executable, "-m", "jw_eval_cli")


@pytest.fixture
def call(tmp_path: Path) -> Call:
    """Call `jw-eval ARGUMENTS...` in an empty folder; `stdin` and `env` may be given."""

    def run(
        *arguments: str, stdin: str = "", env: dict[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            cwd=cwd or tmp_path,
            input=stdin,
            env={**os.environ, "COLUMNS": "100", **(env or {})},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run

"""The command line as people call it: a process of its own, in a folder of its own."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a configuration of one agent, and no case yet."""
    (tmp_path / "jw-eval.toml").write_text(
        'cases = ["golden"]\n[agents.apologetics]\ntarget = "answers:apologetics"\n'
    )
    (tmp_path / "golden" / "l1").mkdir(parents=True)
    return tmp_path


class Terminal:
    """A terminal that a process may have as a stream; what is written to it is read at once."""

    def __init__(self) -> None:
        self._outer, self.stream = pty.openpty()
        self._raw = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def type(self, text: str) -> None:
        """Type on its keyboard."""
        os.write(self._outer, text.encode())

    def close(self) -> str:
        """Hang up; returns all that stood on it."""
        os.close(self.stream)
        self._reader.join(10)
        os.close(self._outer)
        return self._raw.decode()

    def _read(self) -> None:
        """Linux ends a terminal that nobody writes to any more with an error."""
        while True:
            try:
                part = os.read(self._outer, 65536)
            except OSError:
                return
            if not part:
                return
            self._raw += part


OpenTerminal = Callable[[], Terminal]


@pytest.fixture
def terminal() -> OpenTerminal:
    """Open a terminal; whoever opens it closes it."""
    return Terminal

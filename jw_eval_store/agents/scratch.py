"""The folders and the environment that a host process lives in."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from jw_eval_store.domain.settings import AgentSettings

PASSED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
"""Variables that every host sees: without them an interpreter may not even start."""

NETWORK = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Passed on, in either case, where the network is open."""

FIXED = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}


class Scratch:
    """A temporary HOME, working folder and TMPDIR, emptied between cases."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="jw-eval-"))
        self.home, self.work, self._tmp = (self.folder / n for n in ("home", "work", "tmp"))
        for folder in (self.home, self.work, self._tmp):
            folder.mkdir()

    def environment(self, settings: AgentSettings) -> dict[str, str]:
        """All that the agent sees of the environment."""
        network = [n for name in NETWORK for n in (name, name.lower())] if settings.network else []
        names = (*PASSED, *network, *settings.env)
        passed = {name: os.environ[name] for name in names if name in os.environ}
        home = {"HOME": str(self.home), "TMPDIR": str(self._tmp)}
        return {**FIXED, **passed, **home}

    def empty(self) -> None:
        """Remove what a case has left behind."""
        for folder in (self.home, self.work, self._tmp):
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    Path(entry.path).unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the folders themselves."""
        shutil.rmtree(self.folder, ignore_errors=True)

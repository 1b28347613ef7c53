"""Files that an agent used though none of its folders holds them: a helper beside its package.

They count as well, or an edit to them would go unnoticed. What belongs to the interpreter, to
installed distributions (their versions count), to the system or to the call itself does not.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile

from .files import IGNORED_SUFFIXES

_SYSTEM = ("/proc", "/sys", "/dev", "/etc", "/lib", "/lib64", "/usr/lib", "/usr/share")


class Outside:
    """Tells them from all other files; made before the agent can change folder or environment."""

    def __init__(self) -> None:
        own = os.path.dirname(os.path.abspath(__file__))
        scratch = (os.getcwd(), os.path.expanduser("~"), tempfile.gettempdir())
        python = (sys.prefix, sys.base_prefix, *sysconfig.get_paths().values())
        places = (own, *scratch, *python, *_SYSTEM)
        self._not = tuple({os.path.realpath(place) + os.sep for place in places})

    def name(self, path: str) -> str:
        """The file's real path; empty where it does not count."""
        real = os.path.realpath(path)
        installed = "site-packages" in real or "dist-packages" in real
        if installed or real.endswith(IGNORED_SUFFIXES) or real.startswith(self._not):
            return ""
        return real.replace(os.sep, "/") if not os.path.isdir(real) else ""

"""Let threads that an agent starts know which call they belong to (before Python 3.14 they don't).

Applied in host processes only: there the whole process is the agent's.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any


def inherit_in_threads() -> None:
    """From now on threads and thread pools carry the context of whoever gave them the work."""
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit

    def start_in_context(self: threading.Thread) -> None:
        context, run = copy_context(), self.run
        self.run = lambda: context.run(run)  # type: ignore[method-assign]  # one thread's own
        start(self)

    def submit_in_context(self: Any, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        return submit(self, copy_context().run, fn, *args, **kwargs)

    threading.Thread.start = start_in_context  # type: ignore[method-assign]  # all, on purpose
    ThreadPoolExecutor.submit = submit_in_context  # type: ignore[method-assign]  # as above

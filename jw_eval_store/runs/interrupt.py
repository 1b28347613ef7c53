"""Ctrl-C: the first finishes the cases in hand, the second ends at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self


class Interrupt:
    """While entered, SIGINT and SIGTERM ask the run to end in order; a second one interrupts.

    Outside the main thread signals can't be caught: `requested` then stays false until `request`.
    """

    def __init__(self, on_first: Callable[[], None] = lambda: None) -> None:
        self.requested = False
        self._on_first = on_first
        self._previous: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._previous[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def request(self) -> None:
        """Ask the run to end after the cases in hand."""
        self.requested = True

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.request()
        self._on_first()

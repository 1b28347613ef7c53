"""Keep what in-process agents print apart from what the tool prints.

While agents are in use, `sys.stdout` and `sys.stderr` are routers: text written from within a call
goes to that call's log, all else to the real stream. A context variable tells them apart, so
concurrent calls and asyncio tasks don't mix. Threads that an agent starts itself do not inherit it
(before Python 3.14); host processes capture those too.
"""

from __future__ import annotations

import io
import sys
import threading
from contextvars import ContextVar
from typing import Any, TextIO, cast

LOG_LIMIT = 20_000
"""Characters kept of a call's log: its end."""

_NAMES = ("stdout", "stderr")
_users = 0
_lock = threading.Lock()


class Log:
    """What one call printed, cut to its end as it grows."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self.cut = False

    def write(self, text: str) -> int:
        """Append; memory stays bounded however much is printed."""
        self._parts.append(text[-LOG_LIMIT:])
        self._size += len(self._parts[-1])
        if self._size > 4 * LOG_LIMIT:
            self._parts = ["".join(self._parts)[-LOG_LIMIT:]]
            self._size = LOG_LIMIT
            self.cut = True
        return len(text)

    def text(self) -> str:
        """The end of all that was written, saying so where the start is missing."""
        return cut_to_end("".join(self._parts), cut=self.cut)


def cut_to_end(text: str, *, cut: bool = False) -> str:
    """The last LOG_LIMIT characters, behind a mark where something is missing."""
    missing = cut or len(text) > LOG_LIMIT
    return f"[...]{text[-LOG_LIMIT:]}" if missing else text


current: ContextVar[Log | None] = ContextVar("current", default=None)
"""The log of the call that is running here, if any."""


class _Router(io.TextIOBase):
    """A text stream that writes to the call's log inside a call, else to the real stream."""

    def __init__(self, real: TextIO) -> None:
        self.real = real

    def write(self, text: str) -> int:
        return (current.get() or self.real).write(text)

    def flush(self) -> None:
        if current.get() is None:
            self.real.flush()

    @property
    def buffer(self) -> Any:
        log = current.get()
        return self.real.buffer if log is None else _Bytes(log)

    def isatty(self) -> bool:
        return current.get() is None and self.real.isatty()

    def close(self) -> None:
        """An agent that closes the stream must not close the tool's."""

    def __getattribute__(self, name: str) -> Any:
        if name in _OWN:
            return super().__getattribute__(name)
        return getattr(super().__getattribute__("real"), name)


_OWN = frozenset({"real", "write", "flush", "buffer", "isatty", "close", "__class__", "writelines"})


class _Bytes(io.RawIOBase):
    """`sys.stdout.buffer` inside a call."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raw = bytes(data)
        self._log.write(raw.decode("utf-8", "replace"))
        return len(raw)


def begin() -> None:
    """One more user of the routers (an agent)."""
    global _users  # noqa: PLW0603 -- the streams are the process's own, so is their count
    with _lock:
        _users += 1
    route()


def route() -> None:
    """Put the routers in place, again where somebody has replaced the streams since."""
    for name in _NAMES:
        stream = getattr(sys, name)
        if stream is not None and type(stream) is not _Router:
            setattr(sys, name, _Router(cast(TextIO, stream)))


def end() -> None:
    """One user less; the last one gives the real streams back."""
    global _users  # noqa: PLW0603 -- as above
    with _lock:
        _users -= 1
        for name in _NAMES if _users == 0 else ():
            stream = getattr(sys, name)
            if type(stream) is _Router:
                setattr(sys, name, stream.real)

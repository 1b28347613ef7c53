"""A frozen clock for cases that set `now`, put in place before the agent is imported.

Frozen: `time.time`, `time_ns`, `gmtime`, `localtime`, `ctime`, `strftime` without a time, and
`now`, `utcnow`, `today` of `datetime` and `date`. Not frozen: monotonic clocks and `sleep` (timers
need them), the times of files, other processes, and clocks that compiled code reads by itself.
"""

from __future__ import annotations

import datetime as module
import time
from datetime import date, datetime, timezone, tzinfo
from typing import Any, Optional

_now: float = 0.0


def set_now(moment: str) -> None:
    """Freeze the clock at an ISO 8601 moment; UTC where it names no zone."""
    global _now  # noqa: PLW0603 -- a process has one clock
    parsed = datetime.fromisoformat(moment.replace("Z", "+00:00"))
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=timezone.utc)
    _now = parsed.timestamp()


def install() -> None:
    """Replace the clock of this process for good."""
    module.date, module.datetime = _Date, _Datetime  # type: ignore[misc]  # what freezing means
    time.time = lambda: _now
    time.time_ns = lambda: int(_now * 1_000_000_000)
    for name in ("gmtime", "localtime", "ctime"):
        setattr(time, name, _defaulting(getattr(time, name)))
    real_strftime, local = time.strftime, time.localtime
    time.strftime = lambda format, t=None: real_strftime(format, local() if t is None else t)


def _defaulting(function: Any) -> Any:
    return lambda seconds=None: function(_now if seconds is None else seconds)


class _AlsoReal(type):
    """Dates made by compiled code are of the real classes, and pass for these."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.__mro__[1])

    def __subclasscheck__(cls, subclass: Any) -> bool:
        return issubclass(subclass, cls.__mro__[1])


class _Date(date, metaclass=_AlsoReal):
    @classmethod
    def today(cls) -> Any:
        return cls.fromtimestamp(_now)


class _Datetime(datetime, metaclass=_AlsoReal):
    @classmethod
    def now(cls, tz: Optional[tzinfo] = None) -> Any:
        return cls.fromtimestamp(_now, tz)

    @classmethod
    def utcnow(cls) -> Any:
        return cls.fromtimestamp(_now, timezone.utc).replace(tzinfo=None)

    @classmethod
    def today(cls) -> Any:
        return cls.fromtimestamp(_now)

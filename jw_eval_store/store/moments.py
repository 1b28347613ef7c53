"""What comes later stands later, whatever the clock said when an earlier row was written."""

from __future__ import annotations

from datetime import datetime, timedelta

from jw_eval_store.store.connect import now


def ulid_after(newest: str | None) -> str:
    """A new ULID, after that one."""
    from ulid import ULID

    made = str(ULID())
    if newest is None or newest < made:
        return made
    return str(ULID.from_timestamp(ULID.from_str(newest).milliseconds + 1))


def moment_after(newest: str | None) -> str:
    """The present moment, or the first one after that one, as moments are stored."""
    moment = now()
    if newest is None or newest < moment:
        return moment
    return _moved(newest, timedelta(milliseconds=1))


def an_hour_ago() -> str:
    """The moment an hour ago, as moments are stored: a clock may be set back meanwhile."""
    return _moved(now(), timedelta(hours=-1))


def _moved(moment: str, by: timedelta) -> str:
    moved = datetime.fromisoformat(moment) + by
    return moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")

"""A row of figures as a row of small bars, for a trend in one line of text."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float | None], width: int = 20) -> str:
    """The last `width` shares (0..1) as bars; only a whole share is a full bar, a dot is unknown.

    Where no share is below a half, the lowest bar is a half, so that a small fall shows.
    """
    shown = values[-width:]
    floor = 0.5 if all(value is None or value >= 0.5 for value in shown) else 0.0
    return "".join("·" if value is None else _bar(value, floor) for value in shown)


def _bar(value: float, floor: float) -> str:
    share = (min(max(value, floor), 1.0) - floor) / (1.0 - floor)
    return _BARS[int(share * (len(_BARS) - 1))]

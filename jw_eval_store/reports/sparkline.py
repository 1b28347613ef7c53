"""A row of figures as a row of small bars, for a trend in one line of text."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float | None], width: int = 20) -> str:
    """The last `width` shares (0..1) as bars, the lowest at 0 or at the least value above 0.5.

    A dot stands for what is unknown. Where all values are near each other and high, the scale
    starts at 0.5, so that a fall from 100 % to 95 % shows.
    """
    shown = values[-width:]
    known = [value for value in shown if value is not None]
    floor = 0.5 if known and min(known) >= 0.5 else 0.0
    return "".join("·" if value is None else _bar(value, floor) for value in shown)


def _bar(value: float, floor: float) -> str:
    share = (min(max(value, floor), 1.0) - floor) / (1.0 - floor)
    return _BARS[min(int(share * len(_BARS)), len(_BARS) - 1)]

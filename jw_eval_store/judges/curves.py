"""The trade-off of a calibration, drawn for a terminal and as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from jw_eval_store.judges.calibrate import Calibration, CurvePoint

_WIDTH, _HEIGHT, _LEFT, _TOP = 560, 300, 50, 30
_BAR = 20
_SERIES = (
    ("true_passed", "true passed", "#1b7837"),
    ("others_passed", "others passed", "#b2182b"),
    ("true_failed", "true failed", "#ef8a62"),
    ("others_failed", "others failed", "#4d4d4d"),
)


def text_plot(calibration: Calibration, step: int = 5) -> str:
    """A line per threshold from 0 on: bars of true pairs passed and others failed, and figures.

    The thresholds chosen are marked.
    """
    profile = calibration.profile
    lines = ["threshold   true pairs passed     others passed   others failed      true failed"]
    for point in calibration.curve:
        chosen = [
            name for name in ("reject", "pass_at") if getattr(profile, name) == point.threshold
        ]
        if point.threshold >= 0 and (chosen or round(point.threshold * 100) % step == 0):
            mark = f"  <- {', '.join(chosen)}" if chosen else ""
            lines.append(
                f"{point.threshold:9.2f}   {_bar(point.true_passed)} {point.others_passed:10.1%}"
                f"   {_bar(point.others_failed)} {point.true_failed:8.1%}{mark}"
            )
    return "\n".join(lines)


def _bar(share: float) -> str:
    return ("█" * round(share * _BAR)).ljust(_BAR, "·")


def svg_plot(calibration: Calibration) -> str:
    """The same as a small SVG: threshold across, share up, a line per series."""
    points = [point for point in calibration.curve if point.threshold >= 0]
    profile = calibration.profile
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH + 200} {_HEIGHT + 70}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" '
        'stroke="#999"/>',
        *(_tick(share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)),
        *(_marker(name, getattr(profile, name)) for name in ("reject", "pass_at")),
        *(_line(points, *series, place) for place, series in enumerate(_SERIES)),
        f'<text x="{_LEFT}" y="{_HEIGHT + 65}">threshold (cosine, {profile.embedder.label})</text>',
        "</svg>",
    ]
    return "\n".join(parts)


def _x(threshold: float) -> str:
    return f"{_LEFT + _WIDTH * threshold:.1f}"


def _y(share: float) -> str:
    return f"{_TOP + _HEIGHT * (1 - share):.1f}"


def _tick(share: float) -> str:
    return (
        f'<text x="{_LEFT - 8}" y="{_y(share)}" text-anchor="end">{share:.0%}</text>'
        f'<text x="{_x(share)}" y="{_HEIGHT + 48}" text-anchor="middle">{share:.2f}</text>'
    )


def _marker(name: str, threshold: float) -> str:
    x = _x(max(0.0, threshold))
    return (
        f'<line x1="{x}" x2="{x}" y1="{_TOP}" y2="{_TOP + _HEIGHT}" stroke="#999" '
        f'stroke-dasharray="4"/><text x="{x}" y="{_TOP - 8}" text-anchor="middle">'
        f"{name} {threshold}</text>"
    )


def _line(points: Sequence[CurvePoint], field: str, title: str, colour: str, place: int) -> str:
    path = " ".join(f"{_x(p.threshold)},{_y(getattr(p, field))}" for p in points)
    y = _TOP + 20 + 20 * place
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        f'<text x="{_LEFT + _WIDTH + 12}" y="{y}" fill="{colour}">{title}</text>'
    )

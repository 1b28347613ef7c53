"""A trend as a picture: SVG drawn here, PNG by matplotlib, and a chart for Markdown (Mermaid)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import cycle
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.histories import TrendPoint

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 900, 320, 60, 40, 20, 50
_COLORS = ("#06c", "#082", "#a0a", "#555")


def layers_of(point: TrendPoint) -> str:
    """`L1 L2`."""
    return " ".join(layer.upper() for layer in point.layers)


def by_layers(points: Sequence[TrendPoint]) -> dict[str, list[TrendPoint]]:
    """The points of the same layers, by these: only they are one line."""
    found: dict[str, list[TrendPoint]] = {}
    for point in points:
        found.setdefault(layers_of(point), []).append(point)
    return dict(sorted(found.items()))


def plot(points: Sequence[TrendPoint], path: Path, title: str) -> None:
    """Write the picture that the file's name asks for. Raises UsageError for another ending."""
    if path.suffix == ".svg":
        path.write_text(svg(points, title), encoding="utf-8")
    elif path.suffix == ".png":
        _png(points, path, title)
    else:
        raise UsageError(f"{path}: a plot is .svg or .png", hint="--plot trend.svg")


def svg(points: Sequence[TrendPoint], title: str) -> str:
    """Share of passes over the points; a dashed line where the ruler changed."""
    known = [p.pass_rate for p in points if p.pass_rate is not None]
    floor = _floor(known)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="20" font-size="15">{escape(title)}</text>',
        *_axis(floor),
        *(part for n, point in enumerate(points) for part in _mark(n, point, len(points))),
        *_line(points, floor),
        *_ends(points),
        *_legend(points),
    ]
    return "\n".join([*parts, "</svg>", ""])


def _floor(rates: Sequence[float]) -> float:
    """The lowest share of the axis: a multiple of ten percent below the lowest point."""
    return max(0.0, int(min(rates, default=0.0) * 10 - 1e-9) / 10) if rates else 0.0


def _x(number: int, of: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (number / (of - 1) if of > 1 else 0.5)


def _y(rate: float, floor: float) -> float:
    share = (rate - floor) / (1 - floor) if floor < 1 else 1.0
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _axis(floor: float) -> Iterator[str]:
    for step in range(5):
        rate = floor + (1 - floor) * step / 4
        y = _y(rate, floor)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{rate:.0%}</text>'


def _mark(number: int, point: TrendPoint, of: int) -> Iterator[str]:
    if point.marks:
        x, words = _x(number, of), escape(", ".join(point.marks) + " changed")
        yield (
            f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#c60" stroke-dasharray="4 3">'
            f"<title>{words}</title></path>"
        )
        yield f'<text x="{x:.1f}" y="{TOP - 4}" fill="#c60" font-size="10">{words}</text>'


def _line(points: Sequence[TrendPoint], floor: float) -> Iterator[str]:
    places = [
        (_x(n, len(points)), _y(point.pass_rate, floor), point)
        for n, point in enumerate(points)
        if point.pass_rate is not None
    ]
    colors = _colors(points)
    for kind, color in colors.items():
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y, p in places if layers_of(p) == kind)
        yield f'<polyline points="{joined}" fill="none" stroke="{color}" stroke-width="2"/>'
    for x, y, point in places:
        words = escape(f"{point.at[:16]} {point.passed} of {point.total} ({point.run})")
        circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colors[layers_of(point)]}">'
        yield f"{circle}<title>{words}</title></circle>"


def _colors(points: Sequence[TrendPoint]) -> dict[str, str]:
    """A colour for each set of layers."""
    return dict(zip(by_layers(points), cycle(_COLORS), strict=False))


def _legend(points: Sequence[TrendPoint]) -> Iterator[str]:
    """Which line is which, where there are several."""
    colors = _colors(points)
    for number, (kind, color) in enumerate(colors.items() if len(colors) > 1 else ()):
        x = WIDTH - RIGHT - 90 * (len(colors) - 1 - number)
        yield f'<text x="{x}" y="20" text-anchor="end" fill="{color}">{escape(kind)}</text>'


def _ends(points: Sequence[TrendPoint]) -> Iterator[str]:
    y = HEIGHT - BOTTOM + 20
    for number, anchor in ((0, "start"), (len(points) - 1, "end")):
        x = LEFT if anchor == "start" else WIDTH - RIGHT
        yield f'<text x="{x}" y="{y}" text-anchor="{anchor}">{points[number].at[:10]}</text>'


def _png(points: Sequence[TrendPoint], path: Path, title: str) -> None:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(
            "PNG plots need matplotlib", hint="pip install 'jw-eval-store[plots]', or name an .svg"
        ) from error
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set_title(title)
    colors = _colors(points)
    for kind, color in colors.items():
        known = [(n, p.pass_rate) for n, p in enumerate(points) if layers_of(p) == kind]
        rates = [float("nan") if rate is None else 100 * rate for _, rate in known]
        label = kind if len(colors) > 1 else None
        axes.plot([n for n, _ in known], rates, marker="o", markersize=3, color=color, label=label)
    for number, point in enumerate(points):
        if point.marks:
            axes.axvline(
                number, color="#c60", linestyle="--", label=f"{', '.join(point.marks)} changed"
            )
    axes.set_ylabel("passed, %")
    axes.set_xticks([0, len(points) - 1], [points[0].at[:10], points[-1].at[:10]])
    if len(colors) > 1 or any(point.marks for point in points):
        axes.legend(fontsize="x-small")
    figure.savefig(path)


def mermaid(points: Sequence[TrendPoint]) -> list[str]:
    """Lines of a Mermaid chart in Markdown, with the marks below it; none for a single point."""
    known = [point for point in points if point.pass_rate is not None]
    if len(known) < 2:
        return []
    floor = 100 * _floor([point.pass_rate or 0.0 for point in known])
    labels = ", ".join(f'"{point.at[5:16].replace("T", " ")}"' for point in known)
    rates = ", ".join(f"{100 * (point.pass_rate or 0.0):.1f}" for point in known)
    return [
        "```mermaid",
        "xychart-beta",
        f"    x-axis [{labels}]",
        f'    y-axis "passed, %" {floor:.0f} --> 100',
        f"    line [{rates}]",
        "```",
        *(
            f"- {point.at[:16].replace('T', ' ')}: {', '.join(point.marks)} changed"
            for point in known
            if point.marks
        ),
    ]

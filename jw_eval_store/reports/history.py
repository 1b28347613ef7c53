"""Runs and trends of the past, for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from jw_eval_store.domain.histories import RunInfo, TrendPoint
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import Cell, json_text, listed, listing
from jw_eval_store.reports.plot import by_layers, layers_of, mermaid
from jw_eval_store.reports.sparkline import sparkline
from jw_eval_store.reports.wording import REPORTED
from jw_eval_store.text.percent import share_passed

_RUN_COLUMNS = (
    "!run",
    "!started",
    "verdict",
    "!layers",
    ">passed",
    ">failed",
    ">undecided",
    ">reused",
    "revision",
)
_SHORT = {"revision": 7}
_BARS = 45
"""Points in a sparkline, so that what they span stands behind them."""
_TREND_COLUMNS = ("!at", "!run", "revision", ">passed", ">of", ">rate", ">score", "what changed")


def runs_report(runs: Sequence[RunInfo], form: str, page: Page | None = None) -> str:
    """The runs as `table`, `json` or `csv`, newest first."""
    if form == "json":
        return json_text(runs)
    found = listing(
        _RUN_COLUMNS, map(_run, runs), optional=("revision", "reused", "layers"), short=_SHORT
    )
    return listed(found, form, page)


def _run(run: RunInfo) -> tuple[Cell, ...]:
    verdict = run.gate or run.status
    if run.gate == "passed" and not run.binding:
        verdict = REPORTED.lower()
    return (
        run.run,
        moment(run.started_at),
        f"{verdict} (bundled)" if run.bundled else verdict,
        " ".join(layer.upper() for layer in run.layers),
        run.passed,
        run.failed,
        run.errors,
        run.reused,
        revision(run.git_revision, dirty=bool(run.git_dirty)),
    )


def trend_report(points: Sequence[TrendPoint], form: str, page: Page | None = None) -> str:
    """The trend as `table`, `json`, `csv` or `md`, oldest first.

    Below the table stands a sparkline for the runs of each set of layers: a run of L3 alone after
    one of L1 is no fall.
    """
    if form == "json":
        return json_text([asdict(p) | {"pass_rate": p.pass_rate} for p in points])
    if form == "md":
        return "\n".join([*_charts(points), "", _trend_table(points, "markdown", None)])
    table = _trend_table(points, form, page)
    if form == "csv" or not points:
        return table
    lines = {kind: _bars(those) for kind, those in by_layers(points).items()}
    if len(lines) == 1:
        return f"{table}\n{next(iter(lines.values()))}\n"
    width = max(map(len, lines)) + 2
    return "\n".join([table, *(f"{kind:<{width}}{line}" for kind, line in lines.items()), ""])


def _bars(points: Sequence[TrendPoint]) -> str:
    rates = [point.pass_rate for point in points]
    known = [rate for rate in rates if rate is not None]
    span = (
        f"{share_passed(min(known))} to {share_passed(max(known))}, now {share_passed(known[-1])}"
        if known
        else "no results"
    )
    return f"{sparkline(rates, _BARS)}  {span}"


def _charts(points: Sequence[TrendPoint]) -> list[str]:
    """A chart for the runs of each set of layers, under its name where there are several."""
    parts = by_layers(points)
    if len(parts) == 1:
        return mermaid(points)
    charts = {kind: mermaid(those) for kind, those in parts.items()}
    return [
        line for kind, chart in charts.items() if chart for line in (f"{kind}:", "", *chart, "")
    ]


def _trend_table(points: Sequence[TrendPoint], form: str, page: Page | None) -> str:
    """People see which layers a run had where that differs from run to run; programs always."""
    rows = [_point(point) for point in points]
    columns: tuple[str, ...] = _TREND_COLUMNS
    if form == "csv" or len({point.layers for point in points}) > 1:
        named = [layers_of(point) for point in points]
        rows = [(*row, cell) for row, cell in zip(rows, named, strict=True)]
        columns = (*columns, "!layers")
    optional = ("revision", "score", "run")
    return listed(listing(columns, rows, optional=optional, short=_SHORT), form, page)


def _point(point: TrendPoint) -> tuple[Cell, ...]:
    rate = point.pass_rate
    return (
        moment(point.at),
        point.run,
        revision(point.git_revision),
        point.passed,
        point.total,
        None if rate is None else share_passed(rate),
        point.mean_score,
        ", ".join(point.marks),
    )


def moment(text: str) -> str:
    """An ISO 8601 moment to the minute, UTC."""
    return text[:16].replace("T", " ")


def revision(text: str | None, *, dirty: bool = False) -> str | None:
    """A git revision, short; `+` where the folder had changes of its own."""
    return None if text is None else text[:9] + ("+" if dirty else "")

"""Runs and trends as counts, read from the roll-ups: thousands of rows, never millions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Counts of one run over a selection of its roll-ups."""

    run: int
    ulid: str
    started_at: str
    git_revision: str | None
    passed: int
    failed: int
    errors: int
    skipped: int
    reused: int
    score_sum: float
    scored: int
    layers: str

    @property
    def kind(self) -> frozenset[str]:
        """The layers counted: points of the same ones can be held against each other."""
        return frozenset(self.layers.split(","))


def run_counts(conn: Connection, runs: Sequence[int]) -> dict[int, RunCounts]:
    """By run key: counts over all its agents, layers and languages."""
    found = (_counts(conn, "u.run_id = ?", [run]) for run in runs)
    return {row.run: row for rows in found for row in rows}


NO_SHARD = "json_extract(n.selection, '$.shard') IS NULL"


@dataclass(frozen=True)
class TrendFilter:
    """Which runs and results a trend is of: an agent, layer, language (none: all).

    `selection` limits it to runs of the same selection, as JSON.
    """

    agent: str | None = None
    layer: str | None = None
    language: str | None = None
    bundled: bool = False
    selection: str | None = None

    def rollup(self) -> tuple[str, list[object]]:
        """Conditions on the roll-up `u`, with their values."""
        named = (("agent", self.agent), ("layer", self.layer), ("language", self.language))
        given = [(column, value) for column, value in named if value is not None]
        return "".join(f" AND u.{c} = ?" for c, _ in given), [value for _, value in given]

    def runs(self) -> tuple[str, list[object]]:
        """Conditions on the run `n`, with their values."""
        # A shard is a part of a run, whose counts say nothing of the whole.
        where, values = f" AND n.bundled = ? AND {NO_SHARD}", [int(self.bundled)]
        if self.selection is None:
            return where, [*values]
        return f"{where} AND json_extract(n.selection, '$.selection') = ?", [
            *values,
            self.selection,
        ]


_POINTS = {"run": "n.id", "day": "substr(n.started_at, 1, 10)", "revision": "n.git_revision"}


def trend_counts(
    conn: Connection, wanted: TrendFilter, *, by: Literal["run", "day", "revision"], last: int
) -> list[RunCounts]:
    """Counts of the newest points, oldest first: each the last finished run of its day or revision.

    The runs are chosen first, and only theirs are counted.
    """
    (of_run, run_values), (of_rollup, values) = wanted.runs(), wanted.rollup()
    known = "AND n.git_revision IS NOT NULL" if by == "revision" else ""
    sql = f"""
        SELECT n.id, max(n.ulid) AS newest FROM run n
        WHERE n.status = 'finished' {known} {of_run}
          AND EXISTS (SELECT 1 FROM rollup u WHERE u.run_id = n.id {of_rollup})
        GROUP BY {_POINTS[by]} ORDER BY newest DESC LIMIT ?
    """
    chosen = [key for key, _ in tuples(conn, sql, (*run_values, *values, last))]
    found = (_counts(conn, f"u.run_id = ? {of_rollup}", [key, *values]) for key in chosen[::-1])
    return [row for rows in found for row in rows]


def _counts(conn: Connection, where: str, values: Sequence[object]) -> list[RunCounts]:
    sql = f"""
        SELECT n.id, n.ulid, n.started_at, n.git_revision, sum(u.passed), sum(u.failed),
               sum(u.errors), sum(u.skipped), sum(u.reused), total(u.score_sum), sum(u.scored),
               group_concat(DISTINCT u.layer)
        FROM rollup u JOIN run n ON n.id = u.run_id
        WHERE {where} GROUP BY n.id
    """
    return [RunCounts(*row) for row in tuples(conn, sql, values)]


Ruler = tuple[str | None, str | None, int, str | None]
"""Embedder, judge, how many cases, and the address of their ids where it is known."""


def ruler_changes(conn: Connection, points: Sequence[RunCounts]) -> dict[int, tuple[str, ...]]:
    """By run: what was measured with, or on, otherwise than at the last point of the same layers.

    A nightly run of all layers between two of L1 is another kind, and says nothing of a change.
    Judge and embedder are L3's ruler alone. The case set is told by its hash where the points cover
    their whole runs, else by its size.
    """
    sql = """
        SELECT json_extract(n.notices, '$.embedder'), json_extract(n.notices, '$.judge'),
               (SELECT total(u.passed + u.failed + u.errors + u.skipped) FROM rollup u
                WHERE u.run_id = n.id), n.case_set_hash
        FROM run n WHERE n.id = ?
    """
    rows = [(point, conn.execute(sql, (point.run,)).fetchone()) for point in points]
    marks: dict[int, tuple[str, ...]] = {}
    last: dict[frozenset[str], Ruler] = {}
    for point, (embedder, judge, total, cases) in rows:
        measured = (embedder, judge) if "l3" in point.kind else (None, None)
        ruler = (*measured, *_case_set(point, total, cases))
        changes = _changed(last.get(point.kind, ruler), ruler)
        marks[point.run] = tuple(name for name, changed in changes.items() if changed)
        last[point.kind] = ruler
    return marks


def _case_set(point: RunCounts, total: float, cases: str | None) -> tuple[int, str | None]:
    size = point.passed + point.failed + point.errors + point.skipped
    return size, cases if size == total else None


def _changed(was: Ruler, is_: Ruler) -> dict[str, bool]:
    cases = was[2] != is_[2] or (None not in (was[3], is_[3]) and was[3] != is_[3])
    return {"embedder": was[0] != is_[0], "judge": was[1] != is_[1], "case set": cases}

"""Runs and trends as counts, read from the roll-ups: thousands of rows, never millions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jw_eval_store.store.connect import Connection


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


def run_counts(conn: Connection, runs: Sequence[int]) -> dict[int, RunCounts]:
    """By run key: counts over all its agents, layers and languages."""
    found = (_counts(conn, "n.id = ?", [run], 1) for run in runs)
    return {row.run: row for rows in found for row in rows}


def trend_counts(
    conn: Connection,
    *,
    agent: str | None,
    layer: str | None,
    language: str | None,
    bundled: bool,
    last: int,
) -> list[RunCounts]:
    """Counts of the newest finished runs, oldest first, for an agent, layer or language."""
    where, values = ["n.status = 'finished'", "n.bundled = ?"], [int(bundled)]
    parts: list[object] = [*values]
    for column, value in (("u.agent", agent), ("u.layer", layer), ("u.language", language)):
        if value is not None:
            where.append(f"{column} = ?")
            parts.append(value)
    return _counts(conn, " AND ".join(where), parts, last)[::-1]


def _counts(conn: Connection, where: str, values: Sequence[object], limit: int) -> list[RunCounts]:
    sql = f"""
        SELECT n.id, n.ulid, n.started_at, n.git_revision, sum(u.passed), sum(u.failed),
               sum(u.errors), sum(u.skipped), sum(u.reused), total(u.score_sum), sum(u.scored),
               group_concat(DISTINCT u.layer)
        FROM rollup u JOIN run n ON n.id = u.run_id
        WHERE {where} GROUP BY n.id ORDER BY n.id DESC LIMIT ?
    """
    return [RunCounts(*row) for row in conn.execute(sql, (*values, limit))]


def ruler_changes(conn: Connection, runs: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """By run: what was measured with or measured on otherwise than in the run before it."""
    sql = """
        SELECT json_extract(notices, '$.embedder'), json_extract(notices, '$.judge'),
               (SELECT count(*) FROM run_result l WHERE l.run_id = run.id)
        FROM run WHERE id = ?
    """
    names = ("embedder", "judge", "case set")
    rows = [conn.execute(sql, (run,)).fetchone() for run in runs]
    return {
        run: tuple(n for n, was, is_ in zip(names, before, now, strict=True) if was != is_)
        for run, before, now in zip(runs[1:], rows, rows[1:], strict=False)
    }

"""The cases of the run at hand, in a temporary table: many, and most are never looked at."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from jw_eval_store.domain.cases import Layer
from jw_eval_store.domain.hashing import canonical_json
from jw_eval_store.domain.selections import Selection
from jw_eval_store.store.cases import selection_sql
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.rows import tuples
from jw_eval_store.store.trends import NO_SHARD

_TABLE = """
    CREATE TEMP TABLE selected (
        golden_case_id INTEGER PRIMARY KEY, case_id TEXT, revision_id INTEGER,
        equivalent_id INTEGER, agent TEXT, layer TEXT, language TEXT, topic TEXT,
        variant TEXT NOT NULL DEFAULT '')
"""
BUNDLED = "bundled"
"""Variant of bundled citation cases: authored evidence counts for them."""

_COLUMNS = f"""
    g.id, g.case_id, r.id, r.equivalent_id, r.agent, r.layer, r.language, r.topic,
    iif(g.bundled AND r.layer = 'l2', '{BUNDLED}', '')
"""

_FROM = "FROM golden_case g JOIN case_revision r ON r.id = g.current_revision_id"

Column = Literal["agent", "layer", "language", "topic", "case_id"]


def fill_selected(conn: Connection, selection: Selection, *, bundled: bool | None) -> int:
    """Select the cases that a selection means; how many they are. `bundled` none: both kinds."""
    where, values = selection_sql(selection, bundled=bundled)
    return _fill(conn, f"SELECT {_COLUMNS} {_FROM} WHERE {where}", values)


def fill_run(conn: Connection, run: int) -> int:
    """Select the cases of an interrupted run, judged or not; how many they are."""
    sql = f"""
        SELECT {_COLUMNS} {_FROM} JOIN run_result l ON l.golden_case_id = g.id
        WHERE l.run_id = ? AND g.archived_at IS NULL
    """
    return _fill(conn, sql, [run])


def _fill(conn: Connection, sql: str, values: list[object]) -> int:
    conn.execute("DROP TABLE IF EXISTS temp.selected")
    conn.execute(_TABLE)
    return conn.execute(f"INSERT INTO temp.selected {sql}", values).rowcount


def selected_values(conn: Connection, column: Column) -> set[str]:
    """The different values that the selected cases have there."""
    sql = f"SELECT DISTINCT {column} FROM temp.selected WHERE {column} IS NOT NULL"
    return {row[0] for row in conn.execute(sql)}


def selected_durations(conn: Connection, selection: Selection) -> dict[str, int | None]:
    """By case id: milliseconds of its verdict in the newest finished run of this selection.

    None where that run has no such case. Shards are no such runs: what the first shard took must
    not change how the second is cut.
    """
    sql = f"""
        SELECT s.case_id, e.duration_ms FROM temp.selected s
        LEFT JOIN run_result l ON l.golden_case_id = s.golden_case_id AND l.run_id = (
            SELECT n.id FROM run n
            WHERE n.status = 'finished' AND {NO_SHARD}
              AND json_extract(n.selection, '$.selection') = ? ORDER BY n.ulid DESC LIMIT 1)
        LEFT JOIN evaluation e ON e.id = l.evaluation_id
    """
    return dict(tuples(conn, sql, [canonical_json(selection.model_dump(mode="json"))]))


def keep_selected(conn: Connection, case_ids: Collection[str]) -> None:
    """Leave only these of the selected cases."""
    gone = [(case,) for case in selected_values(conn, "case_id") if case not in case_ids]
    conn.executemany("DELETE FROM temp.selected WHERE case_id = ?", gone)


def selected_revisions(conn: Connection, layer: Layer) -> list[int]:
    """Current revisions of the selected cases at a layer."""
    sql = "SELECT revision_id FROM temp.selected WHERE layer = ? ORDER BY case_id"
    return [row[0] for row in conn.execute(sql, (layer,))]


def set_variants(conn: Connection, variants: Mapping[int, str]) -> None:
    """By revision: the way a case is judged, where cases of one agent and layer differ in it."""
    conn.executemany(
        "UPDATE temp.selected SET variant = ? WHERE revision_id = ?",
        [(variant, revision) for revision, variant in variants.items()],
    )

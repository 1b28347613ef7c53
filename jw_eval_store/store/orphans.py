"""Rows that nothing refers to any more, and rows whose owner is gone: what pruning leaves, and what
deleting by hand with other programs does, which don't enforce references.

Cases, pages, snapshots, current recordings, embeddings and people's labels are never orphans: they
are the registry's, not the runs'. Removing needs foreign keys switched off: with them on, SQLite
would search all verdicts for each row that goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.runs import running_here

OWNED = {
    "run_result": ("run_id", "run"),
    "rollup": ("run_id", "run"),
    "judge_step": ("evaluation_id", "evaluation"),
    "evidence_set_item": ("evidence_set_id", "evidence_set"),
    "agent_used_file": ("agent_fingerprint_id", "agent_fingerprint"),
    "http_exchange": ("recording_id", "recording"),
    "revision_tag": ("revision_id", "case_revision"),
    "revision_text": ("revision_id", "case_revision"),
    "revision_citation": ("revision_id", "case_revision"),
    "lint_fault": ("revision_id", "case_revision"),
}
"""Table -> its owner's column and table: such a row is nothing without its owner."""

SHARED = (
    "evidence_set", "setup", "recording", "output", "prompt", "agent_fingerprint", "judge",
    "http_body", "policy", "evidence",
)  # fmt: skip
"""Tables that others refer to by key, those that refer before those that are referred to."""

_ORDER = (
    "run_result", "rollup", "judge_step", "evidence_set", "evidence_set_item", "setup", "recording",
    "http_exchange", "http_body", "agent_fingerprint", "agent_used_file", "revision_tag",
    "revision_text", "revision_citation", "lint_fault", "judge", "output", "prompt", "policy",
    "evidence",
)  # fmt: skip
"""An order in which no step leaves work for an earlier one."""


@dataclass(frozen=True)
class Orphans:
    """Rows of one table that are orphans. `lost`: their owner is gone; else nothing needs them."""

    table: str
    rows: int
    lost: bool


def find_orphans(conn: Connection) -> Iterator[Orphans]:
    """Tables with orphans; none while a run is going on, as in `remove_orphans`.

    Of what goes with an orphan, only the orphan itself is counted.
    """
    if running_here(conn):
        return
    for table, condition in _conditions(conn):
        (rows,) = conn.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()
        if rows:
            yield Orphans(table, rows, table in OWNED)


def remove_orphans(conn: Connection) -> Mapping[str, int]:
    """Delete them; how many, by table. In a transaction, with foreign keys switched off.

    Nothing is deleted while a run is going on: it holds keys of rows that it has yet to refer to.
    """
    if running_here(conn):
        return {}
    found = {
        table: conn.execute(f"DELETE FROM {table} WHERE {condition}").rowcount
        for table, condition in _conditions(conn)
    }
    return {table: rows for table, rows in found.items() if rows}


def _conditions(conn: Connection) -> Iterator[tuple[str, str]]:
    references = _references(conn)
    for table in _ORDER:
        if table in OWNED:
            column, owner = OWNED[table]
            yield table, f"{column} NOT IN (SELECT id FROM {owner})"
        else:
            yield (
                table,
                " AND ".join(
                    f"id NOT IN (SELECT {column} FROM {other} WHERE {column} IS NOT NULL)"
                    for other, column in references[table]
                ),
            )


def _references(conn: Connection) -> dict[str, list[tuple[str, str]]]:
    """By shared table: the tables and columns that keep its rows; what it owns does not."""
    rows = conn.execute(
        'SELECT t.name, k."from", k."table" FROM sqlite_schema t'
        " JOIN pragma_foreign_key_list(t.name) k WHERE t.type = 'table' ORDER BY 1, 2"
    )
    found: dict[str, list[tuple[str, str]]] = {table: [] for table in SHARED}
    for other, column, table in rows:
        if table in found and OWNED.get(other) != (column, table):
            found[table].append((other, column))
    return found

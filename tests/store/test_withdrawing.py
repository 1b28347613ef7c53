"""Evidence is taken from a page by its key: a store may hold tens of thousands of pages."""

from __future__ import annotations

from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.evidence import NewSnapshot, put_snapshot, withdraw_snapshot

PAGE = "https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3"


def stored(conn: Connection, text: str, *, accept: bool = True) -> int:
    evidence = Evidence(PAGE, "imported", (Passage("v43-3-16-1", text),))
    new = NewSnapshot(evidence, PAGE, text, "2026-03-01T12:00:00+00:00", "1")
    return put_snapshot(conn, new, accept=accept)


def test_only_a_current_snapshot_is_withdrawn(conn: Connection) -> None:
    with transaction(conn):
        current, waiting = stored(conn, "loved"), stored(conn, "lived", accept=False)
        found = [withdraw_snapshot(conn, one) for one in (waiting, current, current)]
    assert found == [None, PAGE, None]


def test_no_other_page_is_looked_at(conn: Connection) -> None:
    said: list[str] = []
    with transaction(conn):
        current = stored(conn, "loved")
        conn.set_trace_callback(said.append)
        withdraw_snapshot(conn, current)
        conn.set_trace_callback(None)
    plan = conn.execute(f"EXPLAIN QUERY PLAN {said[0]}").fetchall()
    assert [row["detail"] for row in plan if row["detail"].startswith("SCAN ")] == []

"""What the commands ask, statement by statement as SQLite sees it: no large table end to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from jw_eval_store.config.database import Located
from jw_eval_store.domain.selections import Selection
from jw_eval_store.runs.explaining import explain
from jw_eval_store.store import connect, prune
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.coverage import covered_cases, evidence_ages, recording_ages
from jw_eval_store.store.planning import (
    Choice,
    keep_decided,
    last_inputs,
    link_planned,
    plan_selected,
    planned_counts,
    planned_stale,
    reuse_earlier,
    setup_keys,
)
from jw_eval_store.store.runs import recent_runs, run_of_session
from jw_eval_store.store.selected import fill_run, fill_selected, selected_durations
from jw_eval_store.store.sides import results_to_compare
from jw_eval_store.store.trends import TrendFilter, ruler_changes, run_counts, trend_counts
from jw_eval_store.store.unstable import unstable_cases
from tests.store.test_views import LARGE, pretend_to_be_large, scanned

Ask = Callable[[Connection], object]


def trend(conn: Connection) -> None:
    for by in ("run", "day", "revision"):
        wanted = TrendFilter(agent="agent_03", layer="l1", language="en")
        for asked in (wanted, TrendFilter(), TrendFilter(selection="{}")):
            points = trend_counts(conn, asked, by=by, last=20)
            ruler_changes(conn, points)


def comparison(conn: Connection) -> None:
    for run in (10, 30):
        assert results_to_compare(conn, run)


def list_of_runs(conn: Connection) -> None:
    run_counts(conn, [run.key for run in recent_runs(conn, 20)])


def coverage(conn: Connection) -> None:
    covered_cases(conn, ["agent_03"], bundled=False)
    evidence_ages(conn, "agent_03", bundled=False)
    recording_ages(conn, "agent_03", bundled=False)


def unstable(conn: Connection) -> None:
    unstable_cases(conn, None)
    unstable_cases(conn, "agent_03")


def plan(conn: Connection) -> None:
    """`run --since last`: select, plan, reuse, link."""
    assert fill_selected(conn, Selection(), bundled=False)
    selected_durations(conn, Selection())
    choices = {
        key: Choice(
            conn.execute(
                "SELECT max(id) FROM setup WHERE agent = ? AND layer = ?", (key.agent, key.layer)
            ).fetchone()[0],
            reusable=True,
        )
        for key in setup_keys(conn)
    }
    plan_selected(conn, choices)
    reuse_earlier(conn, None)
    assert planned_counts(conn)[1]
    link_planned(conn, 99)
    last_inputs(conn, [item.case.key for item in planned_stale(conn)])


def plan_within_runs(conn: Connection) -> None:
    assert fill_selected(conn, Selection(agents=("agent_03",)), bundled=False)
    plan_selected(conn, {key: Choice(1, reusable=True) for key in setup_keys(conn)})
    reuse_earlier(conn, [28, 29, 30])


def resume(conn: Connection) -> None:
    assert fill_run(conn, 30)
    plan_selected(conn, {key: Choice(1, reusable=True) for key in setup_keys(conn)})
    keep_decided(conn, 30)


ASKED = {ask.__name__: ask for ask in (trend, comparison, list_of_runs, coverage, unstable, plan,
                                       plan_within_runs, resume)}  # fmt: skip


def statements(conn: Connection, ask: Ask) -> list[str]:
    """Each different statement that was run, with its values."""
    said: list[str] = []
    conn.set_trace_callback(said.append)
    try:
        ask(conn)
    finally:
        conn.set_trace_callback(None)
    words = ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE")
    return [sql for sql in dict.fromkeys(said) if sql.strip().startswith(words)]


@pytest.fixture(params=[False, True], ids=["no statistics", "statistics"])
def large(store: Located, request: pytest.FixtureRequest) -> Iterator[Connection]:
    """A store as SQLite plans for it where nobody ran ANALYZE, and where ten million results are
    known of.
    """
    with connect.writing(store.database) as conn:
        conn.execute("DELETE FROM sqlite_stat1")
    with closing(connect.connect(store.database)) as conn:
        if request.param:
            pretend_to_be_large(conn)
        yield conn


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED.keys())
def test_no_statement_reads_a_large_table_end_to_end(large: Connection, ask: Ask) -> None:
    found = statements(large, ask)
    assert found
    assert {sql: scanned(large, sql) for sql in found if scanned(large, sql)} == {}


def test_the_run_of_a_session_is_sought_among_the_runs_since_it_began(large: Connection) -> None:
    found = statements(large, lambda conn: run_of_session(conn, "a session", "2026-01-01"))
    plans = [row["detail"] for sql in found for row in large.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert plans == ["SEARCH run USING INDEX ix_run_started_at (started_at>?)"]


def test_explaining_a_case_reads_no_large_table_end_to_end(
    store: Located, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    opened = connect.open_for_reading

    def traced(path: object) -> Connection:
        conn = opened(store.database)
        conn.set_trace_callback(said.append)
        return conn

    monkeypatch.setattr(connect, "open_for_reading", traced)
    explain(store, "case_00003")
    with closing(opened(store.database)) as conn:
        selects = [sql for sql in dict.fromkeys(said) if sql.strip().startswith(("SELECT", "WITH"))]
        assert len(selects) > 3
        assert {sql: scanned(conn, sql) for sql in selects if scanned(conn, sql)} == {}


def test_pruning_finds_the_results_of_old_and_of_kept_runs_by_their_run(large: Connection) -> None:
    """Afterwards verdicts are read whole, to see what they still refer to: a twentieth."""
    for sql in (prune._OLD, prune._BUT_SINCE, prune._BUT_NEWEST, prune._NEEDED):
        values = (5,) if "?" in sql else ()
        assert scanned(large, sql.replace("?", "5")) == set()
        large.execute(sql, values)
    for sql in (prune._DELETE_RESULTS, prune._DELETE_VERDICTS):
        assert scanned(large, sql) == set()


def test_a_scan_would_be_noticed(large: Connection) -> None:
    found = statements(
        large, lambda conn: conn.execute("SELECT verdict FROM evaluation e WHERE score > 1")
    )
    assert [scanned(large, sql) for sql in found] == [{"evaluation"}]
    assert {"run_result", "evaluation"} <= LARGE

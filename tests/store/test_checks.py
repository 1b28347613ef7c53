"""Looks at live pages: history, what views say of it, and the budget of a day."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest

from jw_eval_store.domain.checks import (
    PROBLEMS,
    STATUSES,
    UNDECIDED,
    CitationCheck,
    PageCheck,
    PageStatus,
    PassageChange,
)
from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.store import connect
from jw_eval_store.store.checks import latest_checks, put_check, take_request
from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.evidence import NewSnapshot, put_snapshot

PAGE = "https://wol.jw.org/en/wol/b/r1/lp-e/nwtsty/43/3"


def look(
    status: PageStatus, day: int, *, key: str = PAGE, cases: tuple[str, ...] = ()
) -> PageCheck:
    problem = status in PROBLEMS
    changes = (PassageChange(anchor="v43:3:16", old="God loved", new=None),)
    return PageCheck(
        fetch_key=key,
        status=status,
        problem=problem,
        checked_at=f"2026-01-{day:02}T00:00:00.000Z",
        reasons=(f"because of {status}",),
        http_status=200,
        passages=changes if problem else (),
        citations=tuple(
            CitationCheck(case_id=case, url=key, status=status, problem=problem) for case in cases
        ),
    )


def put(conn: Connection, *looks: PageCheck) -> None:
    for number, check in enumerate(looks):
        with transaction(conn):
            put_check(conn, f"C{number}", check)


def test_the_newest_look_at_each_page_comes_back_whole(conn: Connection) -> None:
    newest = look("gone", 2, cases=("a", "b"))
    other = look("unchanged", 1, key=PAGE + "/other")
    put(conn, look("unchanged", 1), newest, other)
    assert latest_checks(conn) == [newest, other]
    assert latest_checks(conn, [other.fetch_key]) == [other]
    assert newest.cases == ("a", "b")


def test_v_drift_tells_what_was_before_and_since_when(conn: Connection) -> None:
    statuses: tuple[PageStatus, ...] = (
        "gone", "unchanged", "quote_missing", "blocked", "claim_changed", "cosmetic",
    )  # fmt: skip
    put(conn, *(look(status, day, cases=("a",)) for day, status in enumerate(statuses, start=1)))
    columns = "status, problem, undecided, latest, before, substr(problem_since, 9, 2), cases"
    rows = conn.execute(f"SELECT {columns} FROM v_drift ORDER BY checked_at").fetchall()
    assert [tuple(row) for row in rows] == [
        ("gone", 1, 0, 0, None, "01", 1),
        ("unchanged", 0, 0, 0, "gone", None, 1),
        ("quote_missing", 1, 0, 0, "unchanged", "03", 1),
        ("blocked", 0, 1, 0, "quote_missing", None, 1),
        ("claim_changed", 1, 0, 0, "blocked", "03", 1),
        ("cosmetic", 0, 0, 1, "claim_changed", None, 1),
    ]
    (reasons,) = conn.execute("SELECT reasons FROM v_drift WHERE latest").fetchone()
    assert reasons == '["because of cosmetic"]'


def test_v_evidence_shows_the_newest_look(conn: Connection) -> None:
    evidence = Evidence(PAGE, "captured", (Passage("v43:3:16", "God loved"),))
    with transaction(conn):
        key = put_snapshot(conn, NewSnapshot(evidence, PAGE, "<p>", "2026-01-01T00:00:00Z", "1"))
        put_check(conn, "C1", look("unchanged", 1), snapshot=key)
        put_check(conn, "C2", look("moved", 2), snapshot=key)
    sql = "SELECT origin, live_status, live_problem, checked_at FROM v_evidence"
    expected = [("captured", "moved", 1, "2026-01-02T00:00:00.000Z")]
    assert [tuple(row) for row in conn.execute(sql)] == expected
    sql = "SELECT compared_with FROM v_drift WHERE latest"
    assert conn.execute(sql).fetchone()[0] == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_can_be_stored_and_the_view_agrees_on_what_is_undecided(
    conn: Connection, status: PageStatus
) -> None:
    put(conn, look(status, 1))
    undecided, problem = conn.execute("SELECT undecided, problem FROM v_drift").fetchone()
    assert bool(undecided) == (status in UNDECIDED)
    assert bool(problem) == (status in PROBLEMS)


def test_a_days_budget_holds_for_each_host_and_over_processes(db: Path) -> None:
    taken: list[bool] = []

    def worker() -> None:
        with closing(connect.open_for_writing(db)) as own:
            taken.extend(take_request(own, "wol.jw.org", 25) for _ in range(10))

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == [False] * 15 + [True] * 25
    with closing(connect.open_for_writing(db)) as own:
        assert take_request(own, "www.jw.org", 25)

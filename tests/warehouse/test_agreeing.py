"""The view of two runs and `jw-eval diff` say the same of every case."""

from __future__ import annotations

from collections import Counter

import pytest

from jw_eval_store.config.database import Located
from jw_eval_store.runs.diffing import diff_runs
from jw_eval_store.store import connect

PAIRS = [(1, 2), (1, 30), (14, 15), (30, 2)]


@pytest.fixture
def mixed(store: Located) -> Located:
    """Runs with other scores, results never judged, verdicts of all kinds, the same setup twice,
    cases of one run only, and an agent that was not known.
    """
    with connect.writing(store.database) as conn:
        conn.executescript("""
            UPDATE evaluation SET score = 0.1 * (id % 7) WHERE score IS NOT NULL;
            UPDATE evaluation SET verdict = 'error' WHERE id % 41 = 0;
            UPDATE evaluation SET verdict = 'skip' WHERE id % 43 = 0;
            UPDATE evaluation SET verdict = 'fail' WHERE id % 11 = 0;
            UPDATE run_result SET evaluation_id = NULL WHERE (run_id + golden_case_id) % 37 = 0;
            DELETE FROM run_result WHERE (run_id * 7 + golden_case_id) % 31 = 0;
            UPDATE evaluation SET setup_id = (
                SELECT f.setup_id FROM evaluation f
                WHERE f.run_id = 1 AND f.golden_case_id = evaluation.golden_case_id
            ) WHERE run_id IN (2, 30);
            UPDATE setup SET agent_fingerprint_id = NULL WHERE agent = 'agent_05' AND id % 2 = 0;
        """)
    return store


def test_the_view_and_the_command_name_each_change_alike(mixed: Located) -> None:
    seen: Counter[str] = Counter()
    with connect.reading(mixed.database) as conn:
        ulids = dict(conn.execute("SELECT id, ulid FROM run").fetchall())
        for before, after in PAIRS:
            said = diff_runs(mixed, ulids[before], ulids[after])
            rows = conn.execute(
                "SELECT case_id, change, cause FROM v_run_diff WHERE before = ? AND after = ?",
                (ulids[before], ulids[after]),
            ).fetchall()
            assert {row["case_id"]: row["change"] for row in rows if row["change"] != "same"} == {
                d.case_id: d.change for d in said.differences
            }
            assert sum(row["change"] == "same" for row in rows) == said.same
            causes = {d.case_id: d.cause for d in said.differences}
            shown = {r["case_id"]: r["cause"] for r in rows if r["change"] != "same" and r["cause"]}
            assert shown == {case: causes[case] for case in shown}
            seen.update(row["change"] for row in rows)
    assert set(seen) == {"same", "unstable", "regression", "fix", "new", "removed", "undecided",
                         "changed"}, seen  # fmt: skip

"""`db check --repair` on stores with years of runs that were damaged in all ways that it mends."""

from __future__ import annotations

import platform
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.config.database import Located
from jw_eval_store.domain.errors import InfrastructureError
from jw_eval_store.store import connect
from jw_eval_store.store.check import check
from jw_eval_store.store.orphans import _ORDER, OWNED, SHARED
from jw_eval_store.store.repair import repair
from jw_eval_store.store.runs import start_run
from jw_eval_store.store.schema import metadata
from tests.warehouse.test_keeping import content


def by_hand(store: Located, script: str) -> None:
    """What another program does to the file: references are not enforced."""
    with closing(sqlite3.connect(store.database)) as conn:
        conn.executescript(script)


def kinds(store: Located) -> set[str]:
    return {problem.kind for problem in check(store.database)}


LEFT_BEHIND = """
    INSERT INTO output (content_hash, body) VALUES ('{}', 'nobody returned this');
    INSERT INTO prompt (prompt_hash, body) VALUES ('{}', 'nobody sent this');
    INSERT INTO policy (policy_hash, body, created_at) VALUES ('{}', 'no run was held to it', '');
    INSERT INTO evidence (content_hash, passages) VALUES ('{}', '[]');
    INSERT INTO evidence_set (id, set_hash) VALUES (9000, '{}');
    INSERT INTO evidence_set_item VALUES (9000, 1, 1, 'captured');
    INSERT INTO recording VALUES (9000, '{}', 1, 'agent_01', 1, '');
    INSERT INTO http_body VALUES (9000, '{}', 0, x'789c030000000001');
    INSERT INTO http_exchange VALUES (9000, 0, 'GET', 'u', '[]', NULL, 200, '[]', 9000);
    INSERT INTO agent_fingerprint VALUES (9000, 'sha256:f', 'agent_01', 'configuration', '{}', '');
    INSERT INTO agent_used_file VALUES (9000, 'agents/x.py');
    INSERT INTO judge VALUES (9000, '{}', 'nobody', 'who?');
    INSERT INTO setup VALUES (9000, '{}', 'agent_01', 'l3', '9', 9000, NULL, 9000, '{}');
"""


def test_rows_that_nothing_refers_to_are_told_of_and_removed(store: Located) -> None:
    before = content(store.database)
    by_hand(store, LEFT_BEHIND)
    told = {p.message.split(":")[0] for p in check(store.database) if p.kind == "orphan"}
    assert told == {"output", "prompt", "policy", "evidence_set", "recording", "setup", "evidence"}
    assert not any(problem.serious for problem in check(store.database) if problem.kind == "orphan")
    said = "\n".join(repair(store.database))
    for table in {*told, "evidence_set_item", "http_exchange", "http_body", "agent_fingerprint",
                  "agent_used_file", "judge"}:  # fmt: skip
        assert f"{table}: 1 removed" in said, table
    assert check(store.database) == []
    assert content(store.database) == before


def test_rows_whose_owner_is_gone_are_removed(store: Located) -> None:
    (gone,) = _row(store, "SELECT ulid FROM run WHERE id = 29")
    judged = "SELECT count(*) FROM judge_step"
    steps = _row(store, judged)
    by_hand(store, """
        UPDATE run_result SET evaluation_id = NULL WHERE run_id <> 29
          AND evaluation_id IN (SELECT id FROM evaluation WHERE run_id = 29);
        DELETE FROM evaluation WHERE run_id = 29 OR id IN (SELECT evaluation_id FROM judge_step
                                                           WHERE id < 4);
        UPDATE run_result SET evaluation_id = NULL
          WHERE evaluation_id NOT IN (SELECT id FROM evaluation);
        DELETE FROM run WHERE id = 29;
    """)  # fmt: skip
    found = check(store.database)
    assert {"reference", "orphan", "roll-up"} == {problem.kind for problem in found}
    assert all("--repair" in p.hint for p in found if p.kind == "reference")
    said = "\n".join(repair(store.database))
    for table in ("run_result", "rollup", "judge_step", "output"):
        assert f"{table}: " in said, table
    assert check(store.database) == []
    assert _row(store, judged) < steps
    assert gone not in {row[0] for row in content(store.database)["results"]}


def test_missing_and_wrong_rollups_are_written_again(store: Located) -> None:
    before = content(store.database)["trend"]
    by_hand(store, """
        DELETE FROM rollup WHERE run_id = 3;
        DELETE FROM rollup WHERE run_id = 4 AND layer = 'l2';
        UPDATE rollup SET passed = passed - 1, failed = failed + 1
          WHERE run_id = 5 AND agent = 'agent_03' AND layer = 'l1' AND language = 'en';
    """)  # fmt: skip
    assert [p.kind for p in check(store.database)] == ["roll-up"] * 3
    assert sum("roll-up written" in line for line in repair(store.database)) == 3
    assert content(store.database)["trend"] == before
    assert check(store.database) == []


def test_a_killed_run_is_marked_and_can_be_resumed(store: Located) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    by_hand(store, f"""
        INSERT INTO run (ulid, started_at, status, bundled, selection, tool_version, host, pid,
        notices) VALUES ('7ZZ', '2030', 'running', 0, '{{}}', '1', '{platform.node()}',
        {ended.pid}, '{{}}');
        INSERT INTO run_result SELECT max(id), 1, NULL FROM run;
    """)  # fmt: skip
    assert kinds(store) == {"interrupted"}
    assert "1 killed runs marked as interrupted" in repair(store.database)
    assert _row(store, "SELECT status FROM run WHERE ulid = '7ZZ'") == ("interrupted",)
    assert [p.hint for p in check(store.database)] == ["run: jw-eval run --resume 7ZZ"]


def test_orphans_stay_while_a_run_goes_on_since_it_may_need_them(store: Located) -> None:
    by_hand(store, LEFT_BEHIND)
    with connect.writing(store.database) as conn, connect.transaction(conn):
        run = start_run(conn, {}, bundled=False, git=None, tool_version="1", policy=None)
    assert f"orphans were left alone: run {run.ulid} is going on" in repair(store.database)
    assert "orphan" not in kinds(store)
    assert _row(store, "SELECT count(*) FROM setup WHERE id = 9000") == (1,)
    by_hand(store, "UPDATE run SET status = 'finished' WHERE status = 'running'")
    assert "orphan" in kinds(store)


def test_a_stale_index_is_made_again_before_anything_is_looked_up_by_it(store: Located) -> None:
    before = content(store.database)
    by_hand(store, """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE INDEX ix_rollup_run_id ON rollup (run_id)'
          || ' WHERE run_id > 5' WHERE name = 'ix_rollup_run_id';
    """)  # fmt: skip
    by_hand(store, "REINDEX ix_rollup_run_id")
    by_hand(store, """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE INDEX ix_rollup_run_id ON rollup (run_id)'
          WHERE name = 'ix_rollup_run_id';
    """)  # fmt: skip
    found = check(store.database)
    assert {problem.kind for problem in found} == {"damage"}
    assert all("--repair" in problem.hint for problem in found)
    assert repair(store.database) == ["indexes were made again"]
    assert check(store.database) == []
    assert content(store.database) == before


def test_a_file_that_is_damaged_beyond_its_indexes_is_left_alone(store: Located) -> None:
    by_hand(store, LEFT_BEHIND)
    (root,) = _row(store, "SELECT rootpage FROM sqlite_schema WHERE name = 'run_result'")
    damaged = bytearray(Path(store.database).read_bytes())
    damaged[(root - 1) * 4096 + 40 : root * 4096] = b"\xff" * (4096 - 40)
    store.database.write_bytes(damaged)
    with pytest.raises(InfrastructureError):
        repair(store.database)
    assert store.database.read_bytes() == damaged


def test_each_table_with_references_to_it_is_looked_at_once() -> None:
    assert sorted(_ORDER) == sorted({*OWNED, *SHARED})
    assert set(_ORDER) <= set(metadata.tables)


def _row(store: Located, sql: str) -> tuple[Any, ...]:
    with connect.reading(store.database) as conn:
        return tuple(conn.execute(sql).fetchone())

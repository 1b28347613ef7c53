"""Many processes that write at once, and writers that are killed: what was committed stays."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from jw_eval_store.store import connect
from jw_eval_store.store.check import check

WRITER = """
import os, sys
from pathlib import Path
from jw_eval_store.domain.cases import parse_case
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.store.cases import put_case
from jw_eval_store.store.connect import transaction, writing
from jw_eval_store.store.evaluations import NewEvaluation, put_evaluations
from jw_eval_store.store.runs import end_run, plan_results, start_run
from jw_eval_store.store.setups import SetupParts, StoredFingerprint, setup_key

path, processes, runs, batches = Path(sys.argv[1]), *map(int, sys.argv[2:])

def case(number):
    return parse_case({"id": f"case-{number}", "agent": "alpha", "layer": "l1",
                       "input": {"q": number}, "expected": {"min_findings": 1}})

def write_run(conn, name):
    with transaction(conn):
        rows = [put_case(conn, case(n), f"id: {n}", "sync") for n in range(batches * 5)]
        fingerprint = StoredFingerprint("alpha", f"sha256:{name}", "configuration", {})
        setup = setup_key(conn, SetupParts("alpha", "l1", "1", fingerprint))
        run = start_run(conn, {"by": name}, bundled=False, git=None, tool_version="1", policy=None)
        plan_results(conn, run.key, [(row.key, None) for row in rows])
    for start in range(0, len(rows), 5):
        with transaction(conn):
            put_evaluations(conn, [
                NewEvaluation(run=run.key, case=row.key, revision=row.revision, setup=setup,
                              result=LayerResult(case_id=row.case_id, layer="l1", verdict="pass"),
                              output=AgentOutput(query=f"{name} {row.case_id}"))
                for row in rows[start:start + 5]])
        print(run.key, flush=True)
    with transaction(conn):
        end_run(conn, run.key, status="finished", gate="passed", exit_code=0, notices={})

def write_runs(name):
    with writing(path) as conn:
        for _ in range(runs):
            write_run(conn, name)

def fork(number):
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        write_runs(f"w{number}")
        code = 0
    finally:
        if code:
            import traceback
            traceback.print_exc()
        os._exit(code)

if processes == 1:
    write_runs("w0")
else:
    children = [fork(number) for number in range(processes)]
    sys.exit(sum(os.waitpid(child, 0)[1] != 0 for child in children))
"""


def start_writers(path: Path, processes: int, runs: int, batches: int) -> subprocess.Popen[str]:
    """Processes that write runs; each prints a line per committed batch of 5 evaluations."""
    sizes = map(str, (processes, runs, batches))
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", WRITER, str(path), *sizes],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_sixteen_processes_write_runs_at_once(db: Path) -> None:
    writers = start_writers(db, processes=16, runs=4, batches=4)
    _, stderr = writers.communicate(timeout=100)
    assert (stderr, writers.returncode) == ("", 0)
    assert check(db) == []
    with connect.reading(db) as conn:
        counts = {
            table: conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("run", "run_result", "evaluation", "golden_case", "case_revision")
        }
        summary = conn.execute("SELECT DISTINCT status, results, passed FROM v_run_summary")
        assert [tuple(row) for row in summary] == [("finished", 20, 20)]
        by_writer = conn.execute(
            "SELECT json_extract(selection, '$.by'), count(*) FROM run GROUP BY 1"
        ).fetchall()
    assert counts == {
        "run": 64,
        "run_result": 1280,
        "evaluation": 1280,
        "golden_case": 20,
        "case_revision": 20,
    }
    assert {tuple(row) for row in by_writer} == {(f"w{n}", 4) for n in range(16)}


def kill_a_writer(path: Path, seconds: float) -> int:
    """Batches that a writer had reported as committed when it was killed."""
    writer = start_writers(path, processes=1, runs=100, batches=20)
    assert writer.stdout is not None
    first = writer.stdout.readline()
    time.sleep(seconds)
    writer.send_signal(signal.SIGKILL)
    rest, _ = writer.communicate()
    return (first + rest).count("\n")


def kill_writers(path: Path, times: int, seed: int) -> None:
    chance = random.Random(seed)
    reported = 0
    for _ in range(times):
        reported += kill_a_writer(path, chance.uniform(0, 0.15))
        with closing(connect.open_for_writing(path)) as conn:
            stored = conn.execute("SELECT count(*) FROM evaluation").fetchone()[0]
            assert stored % 5 == 0
            assert stored // 5 >= reported
            reported = stored // 5
            assert conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            assert conn.execute("PRAGMA foreign_key_check").fetchone() is None
    assert {problem.kind for problem in check(path)} <= {"interrupted"}


def test_killed_writers_lose_nothing_that_was_committed(db: Path) -> None:
    kill_writers(db, times=4, seed=1)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_two_hundred_killed_writers_lose_nothing_that_was_committed(db: Path) -> None:
    kill_writers(db, times=200, seed=2)

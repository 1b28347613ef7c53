"""Ctrl-C, kill -9 and resume, on real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.runs.conftest import AGENT, Project

CASES = 24
SLOW = AGENT.replace(
    "    finding =",
    "    import os, time\n    time.sleep(float(os.environ['SECONDS']))\n    finding =",
)


@pytest.fixture
def slow(project: Project) -> Project:
    project.agent(SLOW)
    project.configure("timeout = 30\n")
    for number in range(CASES):
        project.case(f"case_{number:02}")
    return project


def start(project: Project, *arguments: str, seconds: float = 0.15) -> subprocess.Popen[str]:
    environ = {**os.environ, "PYTHONPATH": str(project.root / "agents"), "SECONDS": str(seconds)}
    return subprocess.Popen(
        [sys.executable, "-m", "jw_eval_cli", "run", "--jobs", "2", *arguments],
        cwd=project.root,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_results(project: Project, count: int) -> None:
    database = project.root / ".jw-eval" / "results.db"
    for _ in range(600):
        if database.exists() and stored(project) >= count:
            return
        time.sleep(0.05)
    raise AssertionError("no result was committed in time")


def stored(project: Project) -> int:
    try:
        return int(project.rows("SELECT count(*) FROM evaluation")[0][0])
    except Exception:
        return 0


def resume(project: Project) -> subprocess.CompletedProcess[str]:
    (run,) = project.rows("SELECT ulid FROM run")[0]
    process = start(project, "--resume", run, seconds=0)
    out, err = process.communicate(timeout=90)
    return subprocess.CompletedProcess([], process.returncode, out, err)


def check_whole(project: Project) -> None:
    assert project.rows("SELECT status, gate, exit_code FROM run") == [("finished", "passed", 0)]
    assert project.rows("SELECT count(*), count(DISTINCT golden_case_id) FROM evaluation") == [
        (CASES, CASES)
    ]
    assert project.rows("SELECT count(*) FROM run_result WHERE evaluation_id IS NULL") == [(0,)]
    assert project.rows("SELECT sum(passed), sum(errors) FROM rollup") == [(CASES, 0)]


def test_ctrl_c_ends_in_order_and_the_run_can_be_resumed(slow: Project) -> None:
    process = start(slow)
    wait_for_results(slow, 1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "INTERRUPTED" in out
    assert slow.rows("SELECT status, exit_code FROM run") == [("interrupted", 130)]
    assert 0 < stored(slow) < CASES
    assert resume(slow).returncode == 0
    check_whole(slow)


@pytest.mark.long
def test_a_second_ctrl_c_does_not_wait_for_a_hanging_agent(slow: Project) -> None:
    process = start(slow, seconds=25)
    for _ in range(600):
        if (slow.root / ".jw-eval" / "results.db").exists() and started(slow):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    time.sleep(1)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    process.communicate(timeout=20)
    assert time.monotonic() - begun < 15
    assert process.returncode == 130
    assert slow.rows("SELECT status FROM run") == [("interrupted",)]


def started(project: Project) -> bool:
    try:
        return bool(project.rows("SELECT 1 FROM run"))
    except Exception:
        return False


def test_a_killed_run_is_shown_as_interrupted_and_ends_when_resumed(slow: Project) -> None:
    process = start(slow)
    wait_for_results(slow, 2)
    process.kill()
    process.communicate()
    kept = stored(slow)
    listed = subprocess.run(
        [sys.executable, "-m", "jw_eval_cli", "runs", "list"],
        cwd=slow.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "interrupted" in listed.stdout, listed.stderr
    assert resume(slow).returncode == 0
    assert stored(slow) == CASES > kept
    check_whole(slow)


@pytest.mark.long
def test_a_finished_run_cannot_be_resumed(slow: Project) -> None:
    process = start(slow, seconds=0)
    process.communicate(timeout=60)
    again = resume(slow)
    assert again.returncode == 2
    assert "not interrupted" in again.stderr


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("moment", range(40))
def test_killed_anywhere_nothing_committed_is_lost(
    slow: Project, moment: int, tmp_path: Path
) -> None:
    process = start(slow, seconds=0.02)
    time.sleep(0.4 + moment * 0.03)
    process.kill()
    process.communicate()
    database = slow.root / ".jw-eval" / "results.db"
    if not database.exists() or not started(slow):
        return
    kept = {row[0] for row in slow.rows("SELECT golden_case_id FROM evaluation")}
    status = slow.rows("SELECT status FROM run")[0][0]
    if status != "finished":
        assert resume(slow).returncode == 0
    assert kept <= {row[0] for row in slow.rows("SELECT golden_case_id FROM evaluation")}
    check_whole(slow)

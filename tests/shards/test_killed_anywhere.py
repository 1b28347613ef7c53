"""Main process and hosts killed at random moments: the resumed run says what a whole one says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.runs.conftest import AGENT, Project

CASES = 12
SLOW = AGENT.replace("    finding =", "    import time\n    time.sleep(0.06)\n    finding =")
CONFIGURATION = """
cases = ["cases"]
jobs = 2
[agents.answerer]
target = "agents.answers:answer"
roots = ["agents"]
timeout = 30
"""
FINAL = "SELECT case_id, verdict, score, output FROM v_result WHERE run = ? ORDER BY case_id"
KILLED = ("main", "host", "host, then main", "main, then resumed and killed again")

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds host processes in /proc"
)


@pytest.fixture
def hosted(project: Project) -> Project:
    """Cases whose agent lives in host processes; one of them fails."""
    project.agent(SLOW)
    (project.root / "jw-eval.toml").write_text(CONFIGURATION)
    for path in (project.root / "cases" / "l1").glob("*.yaml"):
        path.unlink()
    for number in range(CASES):
        project.case(f"case_{number:02}")
    project.case("case_03", expected="min_findings: 2")
    return project


def start(project: Project, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "jw_eval_cli", "run", *arguments],
        cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(project: Project, *arguments: str) -> int:
    process = start(project, *arguments)
    _, err = process.communicate(timeout=120)
    assert process.returncode in (0, 1, 3), err
    return process.returncode


def children(pid: int) -> list[int]:
    """Host processes of a run, whichever of its threads started them."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, path.read_text().split())
        except OSError:
            continue
    return found


def stop(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def rows(project: Project, sql: str) -> list[tuple[object, ...]]:
    return project.rows(sql) if (project.root / ".jw-eval" / "results.db").exists() else []


def last_run(project: Project) -> tuple[str, str] | None:
    try:
        found = rows(project, "SELECT ulid, status FROM run ORDER BY ulid DESC LIMIT 1")
    except Exception:  # killed while the file was being made: there is no run yet
        return None
    return (str(found[0][0]), str(found[0][1])) if found else None


def verdicts(project: Project, run: str) -> list[tuple[object, ...]]:
    return rows(project, FINAL.replace("?", f"'{run}'"))


def kill_once(project: Project, random: Random, whom: str, *arguments: str) -> list[int]:
    """Start a run, kill at a random moment; the hosts that it had then."""
    process = start(project, *arguments)
    time.sleep(random.uniform(0.3, 1.6))
    hosts = children(process.pid)
    if "host" in whom and hosts:
        stop(random.choice(hosts))
        time.sleep(random.uniform(0, 0.2))
    if "main" in whom:
        stop(process.pid)
    process.communicate(timeout=120)
    return hosts


def check(project: Project, seed: int) -> None:
    random = Random(seed)
    whom = KILLED[seed % len(KILLED)]
    hosts = kill_once(project, random, whom)
    kept = committed(project)
    if (run := last_run(project)) and run[1] != "finished" and "again" in whom:
        hosts += kill_once(project, random, "main", "--resume", run[0])
        assert kept <= committed(project)
        kept = committed(project)
    run = last_run(project)
    if run is None or run[1] != "finished":
        finish(project, *(("--resume", run[0]) if run else ()))
    assert kept <= committed(project), "a committed verdict was lost or changed"
    for host in hosts:
        assert ended(host), f"host {host} outlived its run"
    check_like_uninterrupted(project)


def committed(project: Project) -> set[tuple[object, ...]]:
    try:
        return set(rows(project, "SELECT golden_case_id, run_id, verdict FROM evaluation"))
    except Exception:  # killed while the file was being made
        return set()


def ended(pid: int) -> bool:
    for _ in range(100):
        if gone(pid):
            return True
        time.sleep(0.1)
    return False


def check_like_uninterrupted(project: Project) -> None:
    """A case whose host was killed is an error, is run again, and then says what it always says."""
    run = last_run(project)
    assert run is not None
    lost = [row for row in verdicts(project, run[0]) if row[1] == "error"]
    assert len(lost) <= 2
    if lost:
        assert finish(project, "--since", "last") == 1
        run = last_run(project)
        assert run is not None
    assert finish(project) == 1
    whole = last_run(project)
    assert whole is not None
    assert whole[0] != run[0]
    assert verdicts(project, run[0]) == verdicts(project, whole[0])
    assert len(verdicts(project, run[0])) == CASES
    assert project.rows("PRAGMA integrity_check") == [("ok",)]
    assert project.rows("PRAGMA foreign_key_check") == []
    assert project.rows(
        "SELECT count(*) FROM run_result l JOIN run n ON n.id = l.run_id"
        " WHERE l.evaluation_id IS NULL"
    ) == [(0,)]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_killed_run_ends_as_a_whole_one(hosted: Project, seed: int) -> None:
    check(hosted, seed)


@pytest.mark.long
@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", range(200))
def test_killed_at_two_hundred_moments(hosted: Project, seed: int) -> None:
    check(hosted, seed)

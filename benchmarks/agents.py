"""What agents cost: a call in process and in a host, and 52 cases of a foreign toolkit, replayed.

python -m benchmarks agents
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jw_eval_store.agents.build import build_agent
from jw_eval_store.agents.interface import Agent, AgentCall
from jw_eval_store.domain.settings import AgentSettings
from tests.foreign.conftest import Foreign, make_venv, write_project
from tests.foreign.site import Hosts

TRIVIAL = (
    "def ask(question):\n    return [{'text': question, 'source': 's'}]\n"
    "async def ask_async(question):\n    return [{'text': question, 'source': 's'}]\n"
)


def figures(quick: bool) -> Iterator[tuple[str, str, str]]:
    """A call's cost for each way of calling, then whole runs in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _calls(Path(folder), 300 if quick else 3000)
        yield from _runs(Path(folder), 3 if quick else 13)


def _calls(folder: Path, count: int) -> Iterator[tuple[str, str, str]]:
    (folder / "trivial_agent.py").write_text(TRIVIAL)
    for isolation, target in (("in_process", "0.1 ms"), ("host", "")):
        for function in ("ask", "ask_async"):
            settings = AgentSettings(
                target=f"trivial_agent:{function}",
                isolation="host" if isolation == "host" else "in_process",
            )
            agent = build_agent("a", "benchmark", settings, folder)
            first, each = _seconds_per_call(agent, count)
            agent.close()
            what = f"a call of a trivial agent, {isolation}, `{function}`"
            yield what, f"{each * 1000:.3f} ms (the first {first * 1000:.0f} ms)", target


def _seconds_per_call(agent: Agent, count: int) -> tuple[float, float]:
    call = AgentCall("c", {"question": "q"})
    started = time.perf_counter()
    agent.call(call)
    first = time.perf_counter() - started
    times = []
    for _ in range(10):
        started = time.perf_counter()
        for _ in range(count // 10):
            agent.call(call)
        times.append((time.perf_counter() - started) / (count // 10))
    return first, min(times)


def _runs(folder: Path, cases: int) -> Iterator[tuple[str, str, str]]:
    venv, root = make_venv(folder / "venv"), folder / "project"
    write_project(root, venv / "bin" / "python", cases)
    project = Foreign(root, next(venv.glob("lib/python*/site-packages/jw_agents")))
    count, hosts = 4 * cases + 1, Hosts()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in hosts.environment.items():
            patch.setenv(name, value)
        yield f"record {count} cases of four agents", f"{_timed(project.record):.1f} s", ""
        config = root / "jw-eval.toml"
        offline = config.read_text()
        config.write_text(offline.replace("timeout = 20", "timeout = 20\nnetwork = true"))
        yield f"{count} cases live on loopback, whole process", _run(root), ""
        config.write_text(offline)
        hosts.stop()
        shutil.rmtree(root / ".jw-eval")
        yield f"{count} cases replayed, whole process", _run(root), "5 s"
        yield "`--since last`, nothing changed", _run(root, "--since", "last"), ""
        project.edit("research_topic.py", "Researches", "Looks into")
        yield "`--since last`, one agent's file edited", _run(root, "--since", "last"), ""


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _run(root: Path, *words: str) -> str:
    command = [sys.executable, "-m", "jw_eval_cli", "run", *words]
    before, started = os.times(), time.perf_counter()
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    elapsed, after = time.perf_counter() - started, os.times()
    processor = sum(after[2:4]) - sum(before[2:4])
    return f"{elapsed:.1f} s ({processor:.1f} s of processor)"

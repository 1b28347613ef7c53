"""The bundled cases, judged once for all tests; each test gets a copy of the database."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from jw_eval_cli.main import cli
from jw_eval_store.judges.retrying import RetryPolicy
from tests.judges.servers import ScriptedServer, scripted_server
from tests.l3_end_to_end.scripted import sensible

RUN = ("run", "--bundled", "--layer", "3", "--report", "json")


@dataclass
class Bench:
    """A folder with a database, and a judge on loopback."""

    folder: Path
    server: ScriptedServer

    @property
    def db(self) -> Path:
        """The database."""
        return self.folder / "results.db"

    def call(self, *arguments: str, **env: str) -> Result:
        """`jw-eval ARGUMENTS` in this process."""
        judge = {"JW_EVAL_LLM_URL": self.server.url, "JW_EVAL_DB": str(self.db)}
        return CliRunner().invoke(cli, [*arguments], env={**judge, **env})

    def run(self, *more: str, **env: str) -> dict[str, Any]:
        """The JSON report of a run of the bundled semantic cases, which must exit with 0."""
        result = self.call(*RUN, *more, **env)
        assert result.exit_code == 0, result.output
        report: dict[str, Any] = json.loads(result.stdout)
        return report


@dataclass
class Fresh:
    """The report of a run in a process of its own, with a database of its own."""

    db: Path
    report: dict[str, Any]


@pytest.fixture(scope="session")
def fresh_runs(tmp_path_factory: pytest.TempPathFactory) -> list[Fresh]:
    """Two such runs at the same time, with different hash seeds and numbers of threads."""
    with scripted_server() as server:
        server.answer = sensible
        started = []
        for seed, jobs in (("0", "1"), ("4711", "3")):
            folder = tmp_path_factory.mktemp("fresh")
            env = {
                **os.environ,
                "PYTHONHASHSEED": seed,
                "OPENBLAS_NUM_THREADS": jobs,
                "JW_EVAL_LLM_URL": server.url,
                "JW_EVAL_DB": str(folder / "results.db"),
            }
            command = [sys.executable, "-m", "jw_eval_cli", *RUN, "--jobs", jobs]
            pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            started.append((folder, subprocess.Popen(command, cwd=folder, env=env, **pipes)))
        return [_ended(folder / "results.db", process) for folder, process in started]


def _ended(db: Path, process: subprocess.Popen[bytes]) -> Fresh:
    out, said = process.communicate(timeout=120)
    assert process.returncode == 0, said.decode()
    return Fresh(db, json.loads(out))


@pytest.fixture
def bench(
    fresh_runs: list[Fresh], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    """A copy of the first run's database, so that every vector is known already."""
    shutil.copy(fresh_runs[0].db, tmp_path / "results.db")
    monkeypatch.chdir(tmp_path)
    with scripted_server() as server:
        server.answer = sensible
        yield Bench(tmp_path, server)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries come at once."""
    policy = partial(RetryPolicy, sleep=lambda _: None)
    monkeypatch.setattr("jw_eval_store.judges.asking.RetryPolicy", policy)

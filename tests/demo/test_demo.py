"""The demonstration: its history is played for real, and every planted change is found again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from jw_eval_cli.main import cli
from jw_eval_store import Store, Suite
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.integrations.demo.history import STEPS, play


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo") / "history"
    play(made)
    return made


@pytest.fixture(scope="module")
def store(folder: Path) -> Store:
    return Store(folder / ".jw-eval" / "results.db")


@pytest.fixture(scope="module")
def runs(store: Store) -> list[str]:
    """Oldest first."""
    return [run.run for run in reversed(store.runs())]


def test_every_step_is_a_run_of_the_whole_suite(store: Store) -> None:
    gates = [(run.gate, run.passed + run.failed) for run in reversed(store.runs())]
    assert gates == [
        ("passed", 34), ("failed", 34), ("passed", 34), ("failed", 34), ("passed", 34),
        ("passed", 34),
    ]  # fmt: skip
    assert len(gates) == len(STEPS)


@pytest.mark.parametrize(
    ("before", "layer", "cause"),
    [(0, "l1", "agent changed"), (2, "l2", "evidence changed"), (4, "l3", "judge changed")],
)
def test_each_planted_change_is_found_with_its_cause(
    store: Store, runs: list[str], before: int, layer: str, cause: str
) -> None:
    lost = store.diff(runs[before], runs[before + 1]).of("regression")
    assert {(found.layer, found.cause) for found in lost} == {(layer, cause)}


def test_the_curators_edit_mends_the_drift(store: Store, runs: list[str]) -> None:
    mended = store.diff(runs[3], runs[4]).of("fix")
    assert [(found.case_id, found.cause) for found in mended] == [
        ("l2_verse_romans_6_23_es", "case edited")
    ]


def test_the_trend_marks_where_the_judge_changed(store: Store) -> None:
    points = store.trend()
    assert [bool(point.marks) for point in points] == [False] * 5 + [True]
    assert "judge" in points[-1].marks[0]


def test_a_verdict_of_the_judge_explains_itself(store: Store) -> None:
    steps = store.explain("l3_apologetics_trinity_basic_es").steps
    assert any("long words" in step.reply for step in steps)


def test_coverage_has_a_gap_to_show(folder: Path) -> None:
    gaps = Suite(folder).coverage().gaps
    assert [(gap.agent, gap.what) for gap in gaps] == [("meeting_helper", "l3")]


def test_a_folder_with_anything_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        play(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.long
def test_two_histories_in_one_process_do_not_mix(tmp_path: Path, folder: Path) -> None:
    first = play(tmp_path / "another")
    assert [report.gate.verdict for report in first][:2] == ["passed", "failed"]


@pytest.mark.long
def test_the_command_says_where_to_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["demo"])
    assert (done.exit_code, "cd jw-eval-demo" in done.stdout) == (0, True)
    assert "drift" in done.stderr
    shown = re.findall(r"reports/\w+\.json", done.stdout)
    assert len(shown) == 6
    assert all((tmp_path / "jw-eval-demo" / name).is_file() for name in shown)


@pytest.mark.parametrize(
    ("encoding", "command"),
    [
        ("cp437", ("trend",)),
        ("cp1252", ("diff", "reports/repaired.json", "reports/drift.json")),
    ],
)
def test_a_code_page_that_lacks_signs_breaks_nothing(
    folder: Path, encoding: str, command: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jw_eval_cli", *command],
        cwd=folder, env=os.environ | {"PYTHONIOENCODING": encoding}, capture_output=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding)

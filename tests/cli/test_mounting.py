"""The commands mounted in another program, as `jw eval`: a real Typer program in a process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import typer
from jw_eval_cli.mounting import mount

app = typer.Typer()

@app.command()
def hello() -> None:
    print("hello")

mount(app)
app(prog_name="jw")
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "jw.py"
    path.write_text(PROGRAM)
    return path


def jw(program: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(program), *words]
    return subprocess.run(
        command, cwd=program.parent, capture_output=True, text=True, check=False, timeout=120
    )


def test_an_option_in_place_of_a_command_judges_as_specified(program: Path) -> None:
    done = jw(program, "eval", "--layer", "1", "--bundled", "--report", "md", "--out", "report.md")
    assert (done.returncode, done.stdout) == (0, "")
    assert "12 of 12 cases passed" in (program.parent / "report.md").read_text()


@pytest.mark.long
def test_exit_codes_and_messages_are_ours(program: Path) -> None:
    none = jw(program, "eval", "run", "--bundled", "--filter", "agent=nobody")
    wrong = jw(program, "eval", "rnu")
    assert (none.returncode, wrong.returncode) == (5, 2)
    assert "nothing is selected" in none.stderr
    assert "Traceback" not in none.stderr
    assert "Did you mean" in wrong.stderr


def test_help_names_the_program(program: Path) -> None:
    assert "eval" in jw(program, "--help").stdout
    assert "Usage: jw eval [OPTIONS]" in jw(program, "eval").stdout
    assert "Usage: jw eval run" in jw(program, "eval", "run", "--help").stdout

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from jw_eval_cli.main import cli

Call = Callable[..., subprocess.CompletedProcess[str]]


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    probe = (
        "import sys; from jw_eval_cli.main import cli; cli(['--help'], standalone_mode=False);"
        "heavy = {'pydantic', 'rich', 'sqlalchemy', 'sqlite3', 'numpy'} & set(sys.modules);"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    best = 9.0
    for _ in range(3):
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", probe], capture_output=True, text=True, check=False
        )
        best = min(best, time.perf_counter() - start)
        assert (done.returncode, done.stderr) == (0, "")
    assert best <= 0.5, "twice and a half of the 0.20 s that an idle machine must keep"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rnu",), "Did you mean run"),
        (("cases", "lsit"), "Did you mean list"),
        (("run", "--agnet", "x"), "'--agent'"),
        (("run", "--layer", "4"), "there is no layer '4'"),
        (("run", "--filter", "agnet=x"), "did you mean agent?"),
        (("run", "--filter", "agent"), "is not KEY=VALUE"),
        (("run", "--report", "jsn"), "did you mean json?"),
        (("run", "--report", "json", "--report", "md"), "two reports would mix on stdout"),
        (("run", "--min-pass", "l1=120%"), "'120%' is not a share"),
        (("run", "--jobs", "0"), "0 is not in the range"),
        (("sql", "select 1", "--timeout", "nan"), "nan is no finite number"),
        (("sql", "select 1", "--timeout", "inf"), "inf is no finite number"),
        (("sql", "select 1", "--timeout", "0"), "0.0 is not in the range"),
        (("unstable", "--min-rate", "nan"), "nan is no finite number"),
        (("unstable", "--min-rate", "1.1"), "1.1 is not in the range"),
        (("judge", "calibrate", "--false-passes", "nan"), "nan is no finite number"),
        (("sql", "selec 1"), "near"),
        (("coverage", "--all", "--agent", "x"), "exclude each other"),
        (("trend", "--layer", "1,2"), "is not one layer"),
        (("diff",), "Missing argument 'BEFORE'"),
        (("export", "out", "--since", "2026-13"), "--since '2026-13' is no month"),
        (("export", "out", "--since", "2026-00"), "--since '2026-00' is no month"),
    ],
)
def test_a_wrong_call_is_exit_2_with_the_nearest_on_stderr(
    arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(cli, ["db", "upgrade"])
    result = CliRunner().invoke(cli, [*arguments])
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("run", "--since", ""), "--since"),
        (("run", "--bundled", "--shard="), "--shard"),
        (("run", "--resume", " "), "--resume"),
        (("run", "--baseline", ""), "--baseline"),
        (("run", "--min-pass", "l1=1", "--min-pass", ""), "--min-pass"),
        (("run", "-o", ""), "--out"),
        (("runs", "list", "--db", ""), "--db"),
        (("export", ""), "DIR"),
        (("db", "merge", "", "--gate"), "FILES..."),
        (("db", "backup", ""), "TARGET"),
        (("trend", "--plot", ""), "--plot"),
    ],
)
def test_an_empty_value_is_a_forgotten_variable_and_refused_by_name(
    arguments: tuple[str, ...], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, [*arguments])
    assert result.exit_code == 2, result.output
    assert f"'{named}'" in result.stderr.replace("'-o' / ", "")
    assert "is empty" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_configuration_is_exit_2_and_names_file_and_key(call: Call, tmp_path: Path) -> None:
    (tmp_path / "jw-eval.toml").write_text("jobz = 1\n")
    done = call("config", "show")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{tmp_path / 'jw-eval.toml'}: unknown key jobz" in done.stderr
    assert "next: did you mean jobs?" in done.stderr


def test_a_missing_database_is_exit_3_with_the_next_step(call: Call) -> None:
    done = call("runs", "list")
    assert (done.returncode, done.stdout) == (3, "")
    assert "next:" in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "--bundled"),
        ("cases", "list", "--bundled"),
        ("judge", "profiles"),
        ("db", "upgrade"),
        ("db", "backup", "copy.db"),
        ("sql", "select 1"),
    ],
)
def test_a_pipe_as_the_database_is_exit_3_at_once(
    call: Call, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = call(*arguments, "--db", "pipe")
    assert (done.returncode, done.stdout) == (3, "")
    assert f"database {tmp_path / 'pipe'} is a pipe, not a file" in done.stderr
    assert "next: name another file with --db" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def _raise(error: BaseException) -> Callable[..., Any]:
    def raising(*_: object, **__: object) -> None:
        raise error

    return raising


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (RuntimeError("boom"), 4, "internal error: RuntimeError: boom"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.Abort(), 130, "interrupted"),
        (click.FileError("x", "gone"), 2, "Could not open file 'x': gone"),
        (BrokenPipeError(32, "broken"), 141, ""),
        (ValueError("embedded null byte"), 2, "a path holds a NUL character"),
        (FileNotFoundError(2, "Failed to open 'x'"), 2, "Failed to open 'x'"),
        (PermissionError(13, "Permission denied", "some/file"), 3, "some/file: Permission denied"),
    ],
)
def test_every_kind_of_error_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    monkeypatch.setattr("jw_eval_store.config.load_config", _raise(error))
    result = CliRunner().invoke(cli, ["config", "show"])
    assert result.exit_code == code
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "env"),
    [(["--debug"], {}), ([], {"JW_EVAL_DEBUG": "1"})],
    ids=["flag", "variable"],
)
def test_the_traceback_is_shown_only_when_asked_for(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], env: dict[str, str]
) -> None:
    monkeypatch.setattr("jw_eval_store.config.load_config", _raise(RuntimeError("boom")))
    result = CliRunner().invoke(cli, [*arguments, "config", "show"], env=env)
    assert result.exit_code == 4
    assert "Traceback" in result.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("explain", "x\udcff"), "'x\\udcff' is not UTF-8"),
        (("trend", "--agent", "x\udcff"), "'x\\udcff' is not UTF-8"),
        (("runs", "list", "--db", "a" * 5000), "aaa...: File name too long"),
        (("runs", "list", "--limit", "9" * 20), "larger than can be stored"),
        (("run", "--bundled", "--jobs", "9" * 20), "is not in the range 1<=x<=1000"),
        (("sql", "select 1", "--limit", "9" * 20), "larger than can be stored"),
    ],
)
def test_arguments_that_no_system_takes_are_no_internal_error(
    call: Call, arguments: tuple[str, ...], said: str
) -> None:
    call("db", "upgrade")
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_errors_keep_their_codes_where_another_program_mounts_the_commands(tmp_path: Path) -> None:
    outer = click.Group("outer")
    outer.add_command(cli, "eval")
    result = CliRunner().invoke(outer, ["eval", "runs", "list", "--db", str(tmp_path / "none.db")])
    assert result.exit_code == 3


def test_a_reader_that_leaves_early_causes_no_noise(call: Call, tmp_path: Path) -> None:
    call("db", "upgrade")
    statement = "with recursive n(i) as (select 1 union all select i+1 from n where i < 99999) "
    shell = (
        f"'{sys.executable}' -m jw_eval_cli sql --limit 0 --format csv '{statement}"
        "select i from n' | head -1"
    )
    done = subprocess.run(
        ["bash", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("i\n", "")


def test_a_full_disk_under_stdout_is_said(call: Call, tmp_path: Path) -> None:
    shell = f"'{sys.executable}' -m jw_eval_cli --help > /dev/full"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "cannot write the output: No space left on device" in done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("redirection", "code"),
    [
        pytest.param(">&-", 0, marks=pytest.mark.long),
        pytest.param("2>&-", 0, marks=pytest.mark.long),
        pytest.param("<&-", 0, marks=pytest.mark.long),
        (">&- 2>&- <&-", 0),
        ("2>/dev/full", 3),
    ],
)
def test_closed_and_full_streams_are_no_failed_gate(
    tmp_path: Path, redirection: str, code: int
) -> None:
    shell = f"'{sys.executable}' -m jw_eval_cli run --bundled --layer 1 {redirection}"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "rror" in done.stdout + done.stderr) == (code, False)


def test_text_that_the_terminal_cannot_spell_breaks_nothing(call: Call) -> None:
    call("db", "upgrade")
    done = call("sql", "select 'ñ ▁' as x", env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "ñ ▁" in done.stdout

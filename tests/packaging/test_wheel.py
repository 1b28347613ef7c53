from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with the wheel in it; returns its folder of commands.

    The dependencies come from this environment by a path file. Path files below such a path are not
    followed, so an editable installation of the checkout stays out.
    """
    environment = tmp_path_factory.mktemp("clean") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return environment / "bin"


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Run:
    """Run a command of the clean environment in an empty folder with an empty HOME."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "work").mkdir()

    def call(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(installed / name), *arguments],
            cwd=tmp_path / "work",
            env={"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return call


def test_the_wheel_holds_the_bundled_files_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    bundled = "jw_eval_store/_bundled"
    for part in ("migrations/versions/", "seeds/l1/", "seeds/policy.yaml", "snapshots/manifest"):
        assert any(name.startswith(f"{bundled}/{part}") for name in names), part
    assert any(name.startswith("jw_eval_store/store/sql/views/v_case") for name in names)
    tops = {name.split("/")[0].split("-")[0] for name in names}
    assert tops == {"jw_eval_cli", "jw_eval_store"}
    parts = {part for name in names for part in name.lower().split("/")}
    assert not [p for p in parts if p == "tests" or p.startswith(("test_", "conftest", ".keep"))]


def test_the_package_comes_from_the_wheel_and_not_from_the_checkout(run: Run) -> None:
    probe = "import jw_eval_store, jw_eval_cli; print(jw_eval_store.__file__, jw_eval_cli.__file__)"
    done = run("python", "-c", probe)
    assert done.stderr == ""
    assert str(CHECKOUT) not in done.stdout
    assert done.stdout.count("site-packages") == 2


def test_the_bundled_cases_pass_away_from_the_checkout(run: Run) -> None:
    done = run("jw-eval", "run", "--bundled", "--report", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["gate"]["verdict"] == "passed"
    assert report["summary"]["l1"]["pass"] >= 12
    assert report["summary"]["l2"]["pass"] >= 16
    again = run("jw-eval", "run", "--bundled", "--since", "last")
    assert again.returncode == 0, again.stderr
    assert "0 to judge" in again.stderr


def test_a_bare_run_selects_nothing_and_says_what_to_do(run: Run) -> None:
    done = run("jw-eval", "run")
    assert done.returncode == 5
    assert done.stdout == ""
    assert "no golden case" in done.stderr
    assert "jw-eval run --bundled" in done.stderr

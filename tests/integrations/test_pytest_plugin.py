"""Golden cases in real pytest sessions, those with workers in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jw_eval_store import Store, Suite
from tests.runs.conftest import Project

pytest_plugins = ["pytester"]

Session = Callable[..., pytest.RunResult]
OURS = ["-p", "no:randomly", "-p", "no:hypothesispytest"]


def run_pytest(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """One session in `root`."""
    command = [sys.executable, "-m", "pytest", *OURS, *arguments]
    env = os.environ | {"PYTHONPATH": str(root / "agents"), "JW_EVAL_EMBEDDER": "none"}
    return subprocess.run(
        command, cwd=root, env=env, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(scope="module", autouse=True)
def _imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    """pytester forgets what its sessions import, and half of SQLAlchemy does not bear that."""
    Suite(tmp_path_factory.mktemp("once"), bundled=True).run([1])


@pytest.fixture
def golden(project: Project) -> Project:
    """Three cases, of which one fails, beside an ordinary test."""
    project.case("good_one")
    project.case("bad_one", expected="min_findings: 5")
    project.case("cited", layer="l2")
    project.snapshot()
    (project.root / "tests").mkdir()
    (project.root / "tests" / "test_ordinary.py").write_text("def test_it():\n    assert True\n")
    return project


@pytest.fixture
def session(golden: Project, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Session:
    """One session in the project's folder and in this process, which is quicker."""
    monkeypatch.chdir(golden.root)
    monkeypatch.setenv("JW_EVAL_EMBEDDER", "none")

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess(*OURS, "-p", "no:xdist", *arguments)

    return run


def runs_of(project: Project) -> list[tuple[object, ...]]:
    return project.rows("SELECT status, passed, failed FROM v_run_summary ORDER BY run")


def test_without_being_asked_it_adds_nothing(golden: Project) -> None:
    done = run_pytest(golden.root, "-q")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True)
    assert not (golden.root / ".jw-eval").exists()


def test_a_suite_that_does_not_ask_imports_none_of_it(tmp_path: Path) -> None:
    (tmp_path / "test_modules.py").write_text(
        "import sys\n"
        "def test_modules():\n"
        "    ours = sorted(name for name in sys.modules if name.startswith('jw_eval_store'))\n"
        "    assert ours == ['jw_eval_store', 'jw_eval_store.integrations',"
        " 'jw_eval_store.integrations.pytest_plugin']\n"
        "    assert not {'pydantic', 'sqlite3', 'yaml', 'httpx'} & set(sys.modules)\n"
    )
    done = run_pytest(tmp_path, "-q", "-p", "no:anyio")
    assert done.returncode == 0, done.stdout


def test_cases_are_tests_with_their_reasons(golden: Project, session: Session) -> None:
    done = session("--jw-eval", "-v")
    assert done.ret == 1
    assert "jw-eval::good_one PASSED" in done.stdout.str()
    assert "jw-eval::cited PASSED" in done.stdout.str()
    assert "failed: 1 finding" in done.stdout.str()
    assert "FAILED jw-eval::bad_one - failed:" in done.stdout.str()
    assert "Traceback" not in done.stdout.str()


@pytest.mark.parametrize(
    ("chosen", "passed", "failed"),
    [
        (("-m", "eval_l2"), 1, 0),
        (("-m", "eval_l1", "-k", "bad"), 0, 1),
    ],
)
def test_marks_and_keywords_choose(
    golden: Project, session: Session, chosen: tuple[str, ...], passed: int, failed: int
) -> None:
    done = session("--jw-eval", *chosen)
    assert (f"{passed} passed" in done.stdout.str()) == bool(passed)
    assert (f"{failed} failed" in done.stdout.str()) == bool(failed)
    assert runs_of(golden) == [("finished", passed, failed)]


def test_only_the_last_failures_run_again(golden: Project, session: Session) -> None:
    session("--jw-eval")
    golden.case("bad_one")
    done = session("--jw-eval", "--lf")
    assert "1 passed" in done.stdout.str()
    assert "deselected" in done.stdout.str()


@pytest.mark.long
def test_workers_share_one_run(golden: Project) -> None:
    for number in range(6):
        golden.case(f"more_{number}")
    done = run_pytest(golden.root, "--jw-eval", "-n", "2", "-m", "eval_l1")
    assert "7 passed" in done.stdout, done.stdout + done.stderr
    assert runs_of(golden) == [("finished", 7, 1)]
    assert golden.rows("SELECT count(DISTINCT run_id) FROM evaluation") == [(1,)]
    named = golden.rows("SELECT ulid FROM run")[0][0]
    assert f"run {named}" in done.stdout


@pytest.mark.long
def test_the_setting_holds_where_no_file_is_named(golden: Project, session: Session) -> None:
    (golden.root / "pytest.ini").write_text("[pytest]\njw_eval = true\ntestpaths = tests\n")
    one = session("tests/test_ordinary.py")
    shared = run_pytest(golden.root, "-n", "1")
    assert "1 passed" in one.stdout.str()
    assert "1 failed, 3 passed" in shared.stdout


def test_a_session_that_ends_early_is_an_interrupted_run(golden: Project, session: Session) -> None:
    done = session("--jw-eval", "-x", "-m", "eval_l1")
    assert done.ret == 1
    assert [row[0] for row in runs_of(golden)] == ["interrupted"]
    assert "INTERRUPTED" in done.stdout.str()


def test_fixtures_bring_agents_and_judges(golden: Project, session: Session) -> None:
    (golden.root / "cases" / "l3").mkdir()
    (golden.root / "cases" / "l3" / "meaning.yaml").write_text(
        "id: meaning\nagent: answerer\ninput: {question: why}\n"
        "golden_answer: God loved the world so much.\n"
    )
    (golden.root / "conftest.py").write_text(
        "import json, pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def jw_eval_agents():\n"
        "    async def answerer(question):\n"
        "        return [{'text': 'brought', 'url': 'https://example.org'}] * 5\n"
        "    return {'answerer': answerer}\n"
        "@pytest.fixture(scope='session')\n"
        "def jw_eval_judge():\n"
        "    return lambda prompt: json.dumps({'reason': 'says the same', 'verdict': 'pass'})\n"
    )
    done = session("--jw-eval", "-m", "eval_l3 or eval_l1")
    assert "3 passed" in done.stdout.str(), done.stdout.str()
    assert golden.rows("SELECT count(*) FROM v_judge_step WHERE reply <> ''") == [(1,)]


def test_a_refused_file_fails(golden: Project, session: Session) -> None:
    (golden.root / "cases" / "l1" / "broken.yaml").write_text("id: broken\nagent: [\n")
    done = session("--jw-eval", "-m", "eval_l1", "-k", "broken")
    assert done.ret == 1
    assert "broken.yaml:" in done.stdout.str()


def test_evidence_of_a_folder_that_is_configured_no_longer_is_missed(
    golden: Project, session: Session
) -> None:
    assert session("--jw-eval", "-m", "eval_l2").ret == 0
    config = golden.root / "jw-eval.toml"
    config.write_text(config.read_text().replace('snapshots = "snapshots"', ""))
    assert session("--jw-eval", "-m", "eval_l2").ret == 1
    report = Store(golden.root / ".jw-eval" / "results.db").report()
    assert "no snapshots folder is configured that holds it" in "".join(report.notices)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_the_run_of_a_refused_file_is_invalid(golden: Project, workers: tuple[str, ...]) -> None:
    (golden.root / "cases" / "l1" / "bad_one.yaml").write_text("id: bad_one\nagent: [\n")
    done = run_pytest(golden.root, "--jw-eval", *workers)
    assert done.returncode == 1
    assert "INVALID: 2 of 2 cases passed, 1 invalid file" in done.stdout
    report = Store(golden.root / ".jw-eval" / "results.db").report()
    assert (report.gate.verdict, report.gate.exit_code) == ("invalid", 2)
    assert [Path(file.path).name for file in report.invalid_files] == ["bad_one.yaml"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_session_without_the_test_of_a_refused_file_does_not_pass(
    golden: Project, workers: tuple[str, ...]
) -> None:
    assert run_pytest(golden.root, "--jw-eval", "-k", "good", *workers).returncode == 0
    (golden.root / "cases" / "l1" / "bad_one.yaml").write_text("id: bad_one\nagent: [\n")
    done = run_pytest(golden.root, "--jw-eval", "-k", "good", *workers)
    assert "INVALID: 1 of 1 case passed, 1 invalid file" in done.stdout
    assert done.returncode == 1


@pytest.mark.long
def test_a_run_is_numbered_when_it_begins(golden: Project) -> None:
    """Another one that ended while tests were still collected is older, not newer."""
    (golden.root / "conftest.py").write_text(
        "from jw_eval_store import Suite\n"
        "def pytest_collection_finish(session):\n"
        "    Suite(session.config.rootpath).run([1])\n"
    )
    done = run_pytest(golden.root, "--jw-eval", "-m", "eval_l2")
    assert done.returncode == 0, done.stdout
    assert runs_of(golden) == [("finished", 1, 1), ("finished", 1, 0)]


def test_a_crash_is_no_pass_and_says_so(golden: Project, session: Session) -> None:
    golden.agent("def answer(question):\n    raise ValueError('out of order')\n")
    done = session("--jw-eval", "-k", "good_one")
    assert done.ret == 1
    assert "could not be decided (agent_crash)" in done.stdout.str()


def test_no_cases_at_all_is_not_green(project: Project) -> None:
    done = run_pytest(project.root, "--jw-eval")
    assert done.returncode == 4
    assert "no golden case" in done.stdout + done.stderr

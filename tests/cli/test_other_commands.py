from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jw_eval_cli.main import cli

Invoke = Callable[..., Result]


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two demonstration runs, the second of them reused."""
    path = tmp_path_factory.mktemp("runs") / "results.db"
    for more in ([], ["--since", "last"]):
        result = CliRunner().invoke(cli, ["run", "--bundled", "--db", str(path), *more])
        assert result.exit_code == 0, result.stderr
    return path


@pytest.fixture
def invoke(tmp_path: Path, two_runs: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Call the command line in an empty folder, on a copy of the database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JW_EVAL_DB", str(shutil.copy(two_runs, tmp_path)))
    return lambda *arguments, **options: CliRunner().invoke(cli, [*arguments], **options)


def test_runs_are_listed_newest_first_and_shown_again(invoke: Invoke, tmp_path: Path) -> None:
    runs = json.loads(invoke("runs", "list", "--format", "json").stdout)
    assert [run["reused"] for run in runs] == [28, 0]
    assert "passed (bundled)" in invoke("runs", "list", "--limit", "1").stdout
    assert invoke("runs", "list", "--not-bundled").stdout.count("\n") == 1
    shown = invoke("runs", "show", runs[1]["run"])
    assert (shown.exit_code, shown.stdout.splitlines()[-1]) == (0, f"run {runs[1]['run']}")
    assert invoke("runs", "show", "--report", "md:r.md").exit_code == 0
    assert (tmp_path / "r.md").read_text().startswith("## ✅ PASSED: 28 of 28")
    assert invoke("runs", "show", "01ZZ").exit_code == 2


def test_a_run_that_reuses_counts_all_its_cases_by_agent(invoke: Invoke) -> None:
    text = invoke("run", "--bundled", "--layer", "1", "--since", "last").stdout
    assert "L1     apologetics      en es pt       3       3       -          -       3" in text


def test_two_runs_are_compared(invoke: Invoke) -> None:
    runs = json.loads(invoke("runs", "list", "--format", "json").stdout)
    result = invoke("diff", runs[1]["run"])
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"run {runs[0]['run']} against run {runs[1]['run']}: no change, 28 the same",
        "comparable cases that passed: 28 of 28 (87.9% to 100.0%), then 28 of 28 (87.9% to 100.0%)",
        "no verdict changed among 28 comparable cases",
    ]
    assert invoke("diff", "no-such-run").exit_code == 2


def test_a_trend_is_shown_as_table_and_sparkline(invoke: Invoke) -> None:
    result = invoke("trend", "--bundled", "--agent", "apologetics", "--layer", "1")
    assert result.exit_code == 0
    assert "██  100.0% to 100.0%, now 100.0%" in result.stdout
    points = json.loads(invoke("trend", "--bundled", "--format", "json").stdout)
    assert [point["passed"] for point in points] == [28, 28]
    assert invoke("trend").exit_code == 5


def test_a_verdict_is_explained(invoke: Invoke) -> None:
    result = invoke("explain", "l2_verse_john_3_16_es")
    assert result.exit_code == 0
    assert result.stdout.startswith("PASS  l2_verse_john_3_16_es")
    assert "amó Dios al mundo" in result.stdout
    found = json.loads(invoke("explain", "l2_verse_john_3_16_es", "--format", "json").stdout)
    assert found["result"]["verdict"] == "pass"
    wrong = invoke("explain", "l2_verse_john_3_16")
    assert wrong.exit_code == 5
    assert "did you mean l2_verse_john_3_16_" in wrong.stderr


def test_the_database_answers_sql_and_writes_nothing(invoke: Invoke) -> None:
    statement = "select case_id from v_case where agent = :a and layer = 'l1' order by 1"
    result = invoke("sql", statement, "-p", "a=apologetics", "--format", "csv")
    assert result.stdout.splitlines()[0] == "case_id"
    assert len(result.stdout.splitlines()) == 4
    by_stdin = invoke("sql", "--format", "json", input="select count(*) as n from v_case")
    assert json.loads(by_stdin.stdout) == [{"n": 34}]
    twice = invoke(
        "sql", "select 1 as a, 2 as a, 3 as a_2, :b as b", "-p", "b=", "--format", "json"
    )
    assert json.loads(twice.stdout) == [{"a": 1, "a_3": 2, "a_2": 3, "b": ""}]
    cut = invoke("sql", "select case_id from v_case", "--limit", "2")
    assert "cut after 2 rows; --limit 0 shows all" in cut.stderr
    for refused in ("delete from golden_case", "attach 'x.db' as x", "select", ""):
        assert invoke("sql", refused).exit_code == 2


def test_the_database_is_described_checked_and_backed_up(invoke: Invoke, tmp_path: Path) -> None:
    assert json.loads(invoke("db", "info", "--format", "json").stdout)["results"] == 56
    assert invoke("db", "check").stdout.endswith("results.db: sound\n")
    assert "indexes were made again" in invoke("db", "check", "--repair").stdout
    assert invoke("db", "backup", "copy.db").exit_code == 0
    assert invoke("db", "backup", "copy.db").exit_code == 2
    assert invoke("db", "check", "--db", "copy.db").exit_code == 0
    assert "newest schema" in invoke("db", "upgrade").stdout
    (tmp_path / "text.db").write_text("this is no database, but it is long enough to be one\n" * 9)
    assert invoke("db", "check", "--db", "text.db").exit_code == 3


def test_coverage_is_exit_0_where_met_and_1_where_not(invoke: Invoke, tmp_path: Path) -> None:
    met = invoke("coverage", "--bundled")
    assert met.exit_code == 0
    assert "COVERED" in met.stdout
    (tmp_path / "policy.yaml").write_text("coverage:\n  apologetics: {l1: 2, languages: [es]}\n")
    (tmp_path / "jw-eval.toml").write_text('policy = "policy.yaml"\n')
    missing = invoke("coverage", "--agent", "apologetics")
    assert missing.exit_code == 1
    assert "jw-eval cases add --agent apologetics --layer 1" in missing.stdout
    assert "MISSING: 3 items" in missing.stdout
    typo = invoke("coverage", "--agent", "apologetic")
    assert typo.exit_code == 2
    assert "did you mean apologetics?" in typo.stderr
    assert invoke("coverage", "--format", "md", "-o", "c.md").exit_code == 1
    assert (tmp_path / "c.md").read_text().startswith("## ❌ MISSING")


def test_snapshots_are_listed_shown_and_verified(invoke: Invoke, tmp_path: Path) -> None:
    listed = json.loads(invoke("snapshots", "list", "--bundled", "--format", "json").stdout)
    assert {entry["origin"] for entry in listed} == {"authored"}
    url = listed[0]["url"]
    assert f"fetch_key    {url}" in invoke("snapshots", "show", url, "--bundled").stdout
    unknown = invoke("snapshots", "show", "https://wol.jw.org/x", "--bundled")
    assert (unknown.exit_code, unknown.stdout) == (5, "")
    assert "next: " in unknown.stderr
    html = invoke("snapshots", "show", url, "--bundled", "--format", "html").stdout
    assert "<article" in html
    verified = invoke("snapshots", "verify", "--bundled")
    assert (verified.exit_code, verified.stdout) == (0, f"{len(listed)} sound snapshots\n")
    assert invoke("snapshots", "verify").exit_code == 2
    (tmp_path / "pages" / "wol").mkdir(parents=True)
    (tmp_path / "jw-eval.toml").write_text('snapshots = "pages"\n')
    assert invoke("snapshots", "verify").exit_code == 5
    (tmp_path / "pages" / "wol" / "stray.html").write_text("<p>")
    assert invoke("snapshots", "verify").exit_code == 2


def test_agents_are_listed_with_their_origin(invoke: Invoke, tmp_path: Path) -> None:
    bundled = json.loads(invoke("agents", "list", "--bundled", "--format", "json").stdout)
    assert {agent["agent"] for agent in bundled} >= {"apologetics", "verse_explainer"}
    assert all(agent["origin"].startswith("bundled sample") for agent in bundled)
    (tmp_path / "jw-eval.toml").write_text('[agents.mine]\nadapter = "http"\ntarget = "http://x"\n')
    assert "mine   http     configuration: http://x" in invoke("agents", "list").stdout


def test_config_show_says_where_each_value_comes_from(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "jw-eval.toml").write_text("jobs = 3\n")
    result = invoke(
        "config", "show", "--format", "json", "--db", "x.db", env={"JW_EVAL_LLM": "none"}
    )
    rows = {row["key"]: (row["value"], row["source"]) for row in json.loads(result.stdout)}
    assert rows == {
        "db": (f'"{tmp_path / "x.db"}"', "flag --db"),
        "jobs": ("3", str(tmp_path / "jw-eval.toml")),
        "judge.llm": ('"none"', "variable JW_EVAL_LLM"),
    }
    assert f"configuration file: {tmp_path / 'jw-eval.toml'}" in result.stderr
    assert "judge.timeout" in invoke("config", "show", "--all").stdout
    assert (
        "did you mean JW_EVAL_LLM?" in invoke("config", "show", env={"JW_EVAL_LMM": "none"}).stderr
    )


def test_init_writes_a_configuration_that_holds(invoke: Invoke, tmp_path: Path) -> None:
    assert invoke("init", "new").exit_code == 0
    written = tmp_path / "new" / "jw-eval.toml"
    assert written.read_text().startswith("# Configuration of jw-eval.")
    again = invoke("init", "new")
    assert again.exit_code == 2
    assert "exists already" in again.stderr
    assert invoke("init", "new", "--force").exit_code == 0
    (tmp_path / "pyproject.toml").write_text("[tool.jw-eval]\n")
    assert "configures this folder already" in invoke("init", ".").stderr


def test_what_init_writes_is_valid_with_every_comment_taken_away(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoke("init", "new")
    monkeypatch.chdir(tmp_path / "new")
    monkeypatch.delenv("JW_EVAL_DB")
    assert invoke("config", "show").exit_code == 0
    assert invoke("run").exit_code == 5
    for name, prefix in (("jw-eval.toml", "# "), ("policy.yaml", "#")):
        path = Path(name)
        lines = [_uncommented(line, prefix) for line in path.read_text().splitlines()]
        path.write_text("\n".join(lines).replace("coverage: {}", "coverage:"))
    shown = invoke("config", "show", "--format", "json")
    assert shown.exit_code == 0, shown.stderr
    keys = {row["key"] for row in json.loads(shown.stdout)}
    assert {"preset", "python", "agents.apologetics", "embedder.backend", "judge.url"} <= keys
    assert invoke("coverage").exit_code == 1


def _uncommented(line: str, prefix: str) -> str:
    """Take the comment sign off a line that holds a setting."""
    bare = line.removeprefix(prefix)
    setting = bare.startswith("[") or "=" in bare.split()[1:2] or ": {" in bare
    return bare if line.startswith(prefix) and setting else line


def test_the_shell_completes_names_from_the_store(
    invoke: Invoke, call: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    def offered(line: str) -> list[str]:
        env = {
            "_JW_EVAL_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
        }
        done = call(env=env)
        assert done.stderr == ""
        return [text.partition(",")[2] for text in done.stdout.split()]

    assert offered("jw-eval explain l2_verse_john_3_16_e") == [
        "l2_verse_john_3_16_en",
        "l2_verse_john_3_16_es",
    ]
    assert offered("jw-eval run --agent apol") == ["apologetics"]
    assert len(offered("jw-eval runs show 01")) == 2
    assert offered("jw-eval explain --db none.db l2") == []

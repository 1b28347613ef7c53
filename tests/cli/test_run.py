from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from lxml import etree

from jw_eval_cli.main import cli

Call = Callable[..., subprocess.CompletedProcess[str]]
Invoke = Callable[..., Result]


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Call the command line in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, **options: CliRunner().invoke(cli, [*arguments], **options)


L1 = ("run", "--bundled", "--layer", "1")


def test_the_report_goes_to_stdout_and_messages_to_stderr(call: Call) -> None:
    done = call("run", "--bundled")
    assert done.returncode == 0
    assert "PASSED: 28 of 28 cases passed" in done.stdout
    assert done.stderr == "jw-eval: 28 to judge, 0 reused\n"
    assert "\x1b" not in done.stdout


def test_layers_filters_and_options_narrow_the_selection(invoke: Invoke) -> None:
    def cases(*arguments: str) -> set[str]:
        result = invoke("run", "--bundled", "--report", "json", *arguments)
        assert result.exit_code == 0, result.stderr
        found = json.loads(result.stdout)["results"]
        return {f"{r['layer']} {r['agent']} {r['language']}" for r in found}

    assert cases("--layer", "l2", "--agent", "verse_explainer", "--language", "S") == {
        "l2 verse_explainer es"
    }
    by_filter = ("--filter", "layer=2", "--filter", "agent=verse_explainer", "--filter")
    assert cases(*by_filter, "language=es") == {"l2 verse_explainer es"}
    two = cases("--layer", "1", "--filter", "agent=apologetics", "--agent", "research_topic")
    assert {case.split()[1] for case in two} == {"apologetics", "research_topic"}
    one = cases("--filter", "id=l2_verse_john_3_16_es", "--case", "l2_verse_john_3_16_es")
    assert one == {"l2 verse_explainer es"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--agent", "apologetic"),
        ("--case", "no_such_case"),
        ("--filter", "topic=nothing"),
        ("--layer", "1", "--language", "xx"),
        ("--min-decided", "l3=0.9"),
        ("--layer", "1", "--min-pass", "l2=1"),
    ],
)
def test_what_selects_nothing_is_exit_5(invoke: Invoke, arguments: tuple[str, ...]) -> None:
    result = invoke("run", "--bundled", *arguments)
    assert result.exit_code == 5
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [("--layer", ","), ("--layer", " , "), ("--filter", "layer=,"), ("--min-pass", "=1")],
)
def test_an_empty_layer_is_not_taken_for_all_layers(
    invoke: Invoke, arguments: tuple[str, ...]
) -> None:
    result = invoke("run", "--bundled", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no layer is named" in result.stderr


def test_a_name_in_the_wrong_case_is_suggested(invoke: Invoke) -> None:
    result = invoke("run", "--bundled", "--agent", "APOLOGETICS")
    assert result.exit_code == 5
    assert "did you mean apologetics?" in result.stderr


def test_the_specifications_spelling_writes_a_markdown_file(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke(*L1, "--report", "md", "--out", "report.md")
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "report.md").read_text().startswith("## ✅ PASSED: 12 of 12")
    assert "PASSED: 12 of 12 cases passed" in result.stderr


def test_several_reports_are_written_at_once(invoke: Invoke, tmp_path: Path) -> None:
    reports = ("text", "json:out/r.json", "junit:out/r.xml", "md:out/r.md")
    result = invoke(*L1, *[part for name in reports for part in ("--report", name)])
    assert result.exit_code == 0
    assert "PASSED" in result.stdout
    assert json.loads((tmp_path / "out" / "r.json").read_text())["schema_version"] == 1
    assert len(etree.parse(tmp_path / "out" / "r.xml").findall(".//testcase")) == 12
    assert (tmp_path / "out" / "r.md").read_text().startswith("## ✅")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "start"), [("r.json", "{"), ("r.xml", "<?xml"), ("r.txt", "lay")])
def test_the_file_name_gives_the_format_where_none_is_named(
    invoke: Invoke, tmp_path: Path, name: str, start: str
) -> None:
    assert invoke(*L1, "-o", name).exit_code == 0
    assert (tmp_path / name).read_text().startswith(start)


def test_a_report_that_cannot_be_written_is_said_and_changes_no_exit_code(
    invoke: Invoke, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    result = invoke(*L1, "--report", "md:folder")
    assert result.exit_code == 0
    assert "the report could not be written to folder: Is a directory" in result.stderr


def test_an_older_report_makes_way_where_the_new_one_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text("of an earlier run, green")
    code = """
import resource
from pathlib import Path
from jw_eval_cli.output import emit_report
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
assert not emit_report(2000 * "x", Path("r.json"))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert not (tmp_path / "r.json").exists()
    assert (tmp_path / "r.json.old").read_text() == "of an earlier run, green"
    assert "could not be written to r.json: File too large" in done.stderr
    assert "the older report is" in done.stderr


@pytest.mark.long
def test_a_reader_that_leaves_does_not_change_the_verdict(call: Call, tmp_path: Path) -> None:
    shell = f"set -o pipefail; '{sys.executable}' -m jw_eval_cli run --bundled | true"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "Error" not in done.stderr


def test_github_gets_annotations_and_a_step_summary(invoke: Invoke, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    env = {"GITHUB_STEP_SUMMARY": str(summary)}
    result = invoke(*L1, "--report", "text", "--report", "github", env=env)
    assert result.exit_code == 0
    assert "::notice title=jw-eval::PASSED: 12 of 12" in result.stdout
    assert summary.read_text().startswith("before\n## ✅ PASSED")


def test_since_last_reuses_and_explains(invoke: Invoke) -> None:
    assert invoke(*L1).exit_code == 0
    result = invoke(*L1, "--since", "last", "--explain")
    assert result.exit_code == 0
    assert "jw-eval: 0 to judge, 12 reused" in result.stderr
    assert result.stdout.count("  reused  ") == 12
    assert "12 of 12 cases passed" in result.stdout


def test_a_baseline_without_results_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    invoke(*L1, "--report", "json", "--out", "last-run.json")
    report = json.loads((tmp_path / "last-run.json").read_text())
    (tmp_path / "empty.json").write_text(json.dumps(report | {"results": []}))
    result = invoke(*L1, "--baseline", "empty.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds no results to compare with" in result.stderr


def test_a_json_report_serves_as_baseline(invoke: Invoke) -> None:
    assert invoke(*L1, "--report", "json", "--out", "last-run.json").exit_code == 0
    result = invoke(*L1, "--baseline", "last-run.json")
    assert result.exit_code == 0
    assert "no change, 12 the same" in result.stdout


def test_a_bar_that_is_out_of_reach_fails_the_run(invoke: Invoke, tmp_path: Path) -> None:
    case = "id: impossible\nagent: apologetics\ninput: {question: '¿Es la Trinidad bíblica?'}\n"
    folder = tmp_path / "golden" / "l1"
    folder.mkdir(parents=True)
    (folder / "impossible.yaml").write_text(f"{case}expected: {{min_findings: 99}}\n")
    (tmp_path / "jw-eval.toml").write_text('cases = ["golden"]\nsamples = true\n')
    result = invoke("run", "--case", "impossible")
    assert result.exit_code == 1
    assert "FAIL    impossible" in result.stdout
    assert "golden/l1/impossible.yaml:1" in result.stdout
    assert "FAILED: 0 of 1 case passed, 1 failed" in result.stdout
    assert invoke("run", "--case", "impossible", "--min-pass", "l1=0").exit_code == 0


def test_the_database_lies_where_flag_or_variable_say(invoke: Invoke, tmp_path: Path) -> None:
    assert invoke(*L1, "--db", "a.db", env={"JW_EVAL_DB": "b.db"}).exit_code == 0
    assert ((tmp_path / "a.db").exists(), (tmp_path / "b.db").exists()) == (True, False)
    assert invoke(*L1, env={"JW_EVAL_DB": "b.db"}).exit_code == 0
    assert (tmp_path / "b.db").exists()
    assert not (tmp_path / ".jw-eval").exists()


def test_a_terminal_gets_colours_and_a_bar_and_no_color_takes_only_the_colours(
    terminal: Callable[[], Any], tmp_path: Path
) -> None:
    def on_terminal(**env: str) -> tuple[str, str]:
        output, messages = terminal(), terminal()
        done = subprocess.run(
            [sys.executable, "-m", "jw_eval_cli", *L1],
            cwd=tmp_path,
            env={**os.environ, "TERM": "xterm-256color", **env},
            stdin=subprocess.DEVNULL,
            stdout=output.stream,
            stderr=messages.stream,
            check=False,
        )
        assert done.returncode == 0
        return output.close(), messages.close()

    output, messages = on_terminal()
    assert "\x1b[1;32mPASSED" in output
    assert "\x1b[?25l" in messages, "a live bar hides the cursor"
    output, messages = on_terminal(NO_COLOR="1")
    assert "\x1b[" not in output
    assert "\x1b[?25l" in messages

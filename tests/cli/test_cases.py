from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jw_eval_cli.main import cli

Invoke = Callable[..., Result]

CASE = """\
# Souls die.
id: l1_soul_es
agent: apologetics
input:
  question: "¿Muere el alma?"
  language: es
expected:
  min_findings: 2  # two at least
"""


@pytest.fixture
def invoke(project: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    monkeypatch.chdir(project)
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    return lambda *arguments, **options: CliRunner().invoke(cli, ["cases", *arguments], **options)


@pytest.fixture
def added(invoke: Invoke, project: Path) -> Path:
    """A case that was added; returns its file."""
    result = invoke("add", "--file", "-", "--layer", "1", input=CASE)
    assert result.exit_code == 0, result.stderr
    return project / "golden" / "l1" / "l1_soul_es.yaml"


def test_a_case_is_added_from_stdin_and_its_file_is_written(added: Path, invoke: Invoke) -> None:
    assert added.read_text() == CASE
    shown = invoke("show", "l1_soul_es")
    assert (shown.exit_code, shown.stdout) == (0, CASE)
    assert f"l1_soul_es, revision 1, file: {added}" in shown.stderr


def test_a_case_is_added_from_options(invoke: Invoke) -> None:
    options = [
        "--agent",
        "apologetics",
        "--layer",
        "l1",
        "--id",
        "l1_a",
        "--input",
        "language=es",
        "--input",
    ]
    more = [
        "--expect",
        "min_findings=2",
        "--expect",
        "must_have_source=topic_index",
        "--topic",
        "t",
        "--tag",
        "x",
    ]
    result = invoke("add", *options, "question=¿Por qué?", *more, "--reason", "asked for")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("added     l1_a (revision 1)  ")
    shown = json.loads(invoke("show", "l1_a", "--format", "json").stdout)
    assert shown["expected"] == {"min_findings": 2, "must_have_source": ["topic_index"]}
    assert shown["input"] == {"language": "es", "question": "¿Por qué?"}
    assert shown["metadata"] == {"topic": "t", "tags": ["x"]}
    assert "asked for" in invoke("history", "l1_a").stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        ((), "", "no case was given"),
        (("--file", "none.yaml"), "", "none.yaml cannot be read"),
        (("--file", "-"), CASE, "names no layer"),
        (("--file", "-", "--layer", "1", "--id", "x"), CASE, "can't be given beside it"),
        (("--file", "-", "--layer", "1"), CASE.replace("agent", "agnet"), "unknown key"),
        (("--id", "l1_a", "--layer", "1"), "", "next: add --agent NAME --input KEY=VALUE"),
        (("--id", "l1_a"), "", "names no layer"),
        (("--layer", "1,2"), "", "is not one layer"),
    ],
)
def test_what_is_no_case_is_refused_and_nothing_is_stored(
    invoke: Invoke, arguments: tuple[str, ...], stdin: str, said: str, project: Path
) -> None:
    result = invoke("add", *arguments, input=stdin)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert not list(project.glob("golden/l1/*"))
    assert invoke("list").exit_code == 5


def test_an_edit_keeps_comments_and_the_old_revision(added: Path, invoke: Invoke) -> None:
    why = ("--reason", "a source was added", "--author", "elias")
    result = invoke("edit", "l1_soul_es", "--set", "metadata.topic=doctrine.soul", *why)
    assert result.exit_code == 0, result.stderr
    assert added.read_text() == CASE + "metadata:\n  topic: doctrine.soul\n"
    assert invoke("show", "l1_soul_es", "--revision", "1").stdout == CASE
    assert "+  topic: doctrine.soul" in invoke("diff", "l1_soul_es", "1", "2").stdout
    events = json.loads(invoke("history", "l1_soul_es", "--format", "json").stdout)
    assert [(e["what"], e["revision"]) for e in events] == [("add", 1), ("edit", 2)]
    assert (events[1]["who"], events[1]["why"]) == ("elias", "a source was added")


def test_an_edited_number_stands_in_the_file_without_quotes(added: Path, invoke: Invoke) -> None:
    sets = ("--set", "expected.min_findings=3", "--set", "expected.must_have_citation=true")
    result = invoke("edit", "l1_soul_es", *sets)
    assert result.exit_code == 0, result.stderr
    assert "\n  min_findings: 3  # two at least\n" in added.read_text()
    assert "\n  must_have_citation: true\n" in added.read_text()


def test_an_edit_without_a_change_is_refused(added: Path, invoke: Invoke) -> None:
    result = invoke("edit", "l1_soul_es")
    assert result.exit_code == 2
    assert "nothing is to be changed" in result.stderr


def test_the_editor_changes_a_case(added: Path, invoke: Invoke) -> None:
    editor = {"EDITOR": "sed -i s/Souls/Persons/"}
    assert invoke("edit", "l1_soul_es", "--editor", env=editor).exit_code == 0
    assert added.read_text().startswith("# Persons die.")
    again = invoke("edit", "l1_soul_es", "--editor", env={"EDITOR": "true"})
    assert again.exit_code == 2
    assert "nothing was changed in the editor" in again.stderr


def test_the_editor_does_not_overwrite_what_changed_meanwhile(
    added: Path, invoke: Invoke, tmp_path: Path
) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text(f'#!/bin/sh\nsed -i s/Souls/Persons/ "$1"\necho "# mine" >> "{added}"\n')
    editor.chmod(0o755)
    result = invoke("edit", "l1_soul_es", "-e", env={"EDITOR": str(editor)})
    assert result.exit_code == 2
    assert "was changed by someone else meanwhile" in result.stderr
    kept = Path(result.stderr.split("--file ")[1].rstrip(")\n"))
    assert kept.read_text().startswith("# Persons")
    kept.unlink()
    assert added.read_text() == CASE + "# mine\n"


def test_an_editor_that_is_no_command_or_spoils_the_text_is_said(
    added: Path, invoke: Invoke, tmp_path: Path
) -> None:
    spoiler = tmp_path / "spoil.sh"
    spoiler.write_text('#!/bin/sh\nprintf "\\377" > "$1"\n')
    spoiler.chmod(0o755)
    for command in ('ed "', str(spoiler)):
        result = invoke("edit", "l1_soul_es", "-e", env={"EDITOR": command})
        assert (result.exit_code, result.stdout) == (2, "")
        assert "the editor's text cannot be read" in result.stderr
    assert added.read_text() == CASE


@pytest.mark.parametrize("case_id", ["policy", "x.graph"])
def test_a_case_whose_id_is_the_name_of_another_file_is_found_again(
    invoke: Invoke, project: Path, case_id: str
) -> None:
    source = CASE.replace("l1_soul_es", case_id)
    assert invoke("add", "--file", "-", "--layer", "1", input=source).exit_code == 0
    assert (project / "golden" / "l1" / f"{case_id}.case.yaml").read_text() == source
    assert case_id in invoke("list", "--format", "csv").stdout


def test_a_refused_file_is_said_where_nothing_else_is_there(invoke: Invoke, project: Path) -> None:
    (project / "golden" / "l1").mkdir(exist_ok=True)
    (project / "golden" / "l1" / "bad.yaml").write_text("id: a\nid: b\n")
    result = invoke("list")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "bad.yaml:2: key 'id' stands twice" in result.stderr
    run = CliRunner().invoke(cli, ["run"])
    assert (run.exit_code, run.stdout) == (2, "")
    assert "bad.yaml:2: key 'id' stands twice" in run.stderr


def test_text_that_is_refused_after_the_editor_is_kept(added: Path, invoke: Invoke) -> None:
    result = invoke("edit", "l1_soul_es", "-e", env={"EDITOR": "sed -i s/min_/mni_/"})
    assert result.exit_code == 2
    assert "did you mean `min_findings`?" in result.stderr
    kept = Path(result.stderr.split("--file ")[1].rstrip(")\n"))
    assert kept.read_text() == CASE.replace("min_", "mni_")
    kept.unlink()
    assert added.read_text() == CASE


def test_an_archived_case_leaves_the_list_and_comes_back(added: Path, invoke: Invoke) -> None:
    assert invoke("archive", "l1_soul_es", "--reason", "twin").stdout.startswith("archived  l1_")
    assert not added.exists()
    assert invoke("list").exit_code == 5
    assert "l1_soul_es" in invoke("list", "--archived").stdout
    assert "l1_soul_es" in invoke("list", "--archived", "--layer", "1").stdout
    assert invoke("list", "--archived", "--agent", "nobody").exit_code == 5
    assert invoke("restore", "l1_soul_es").exit_code == 0
    assert added.read_text() == CASE
    assert "l1_soul_es" in invoke("list", "--format", "csv").stdout


def test_an_export_is_imported_unchanged_elsewhere(
    added: Path, invoke: Invoke, project: Path
) -> None:
    result = invoke("export", "out")
    assert result.stdout == f"{project / 'out' / 'l1' / 'l1_soul_es.yaml'}\n"
    assert invoke("export", "out").stdout == ""
    other = ("--db", "other.db")
    (project / "jw-eval.toml").write_text("")
    assert invoke("import", "out", *other).stdout.startswith("added     l1_soul_es")
    assert invoke("import", "out", *other).stdout.startswith("unchanged l1_soul_es")


def test_a_bad_file_stops_no_other_and_makes_the_import_fail(invoke: Invoke, project: Path) -> None:
    folder = project / "in" / "l1"
    folder.mkdir(parents=True)
    (folder / "bad.yaml").write_text("id: x\nid: y\n")
    (folder / "good.yaml").write_text(CASE)
    result = invoke("import", "in")
    assert result.exit_code == 2
    assert "added     l1_soul_es" in result.stdout
    assert "bad.yaml:2: " in result.stderr


def test_lint_finds_contradictions_without_a_database(invoke: Invoke, project: Path) -> None:
    path = project / "golden" / "l1" / "a.yaml"
    contradiction = "  required_keywords_any: [alma]\n  forbidden_keywords_in_findings: [alma]\n"
    path.write_text(CASE + contradiction)
    result = invoke("lint")
    assert result.exit_code == 1
    assert result.stdout.startswith("golden/l1/a.yaml:")
    assert "[error: keyword-contradiction]" in result.stdout
    github = invoke("lint", "--format", "github", str(path)).stdout
    assert github.startswith("::error file=golden/l1/a.yaml,line=")
    assert json.loads(invoke("lint", "--format", "json").stdout)["checked"] == 1
    path.write_text("id: [\n")
    assert invoke("lint").exit_code == 2
    path.unlink()
    assert not (project / ".jw-eval").exists()


def test_lint_passes_sound_cases_and_can_be_strict(added: Path, invoke: Invoke) -> None:
    assert invoke("lint").stdout == "0 errors, 0 warnings in 1 case\n"
    switched = "lint: {keyword-contradiction: not a contradiction}\n"
    added.write_text(CASE + switched)
    assert invoke("lint").exit_code == 0
    assert invoke("lint", "--strict").exit_code == 1


def test_the_rules_are_listed(invoke: Invoke) -> None:
    assert "keyword-contradiction" in invoke("lint", "--rules").stdout


def test_the_examples_of_the_help_add_a_case_of_each_layer(invoke: Invoke) -> None:
    text = invoke("add", "--help").stdout.partition("Examples:")[2].partition("Options:")[0]
    calls = [shlex.split(line) for line in text.replace("\\\n", " ").splitlines()]
    added = [invoke(*call[2:]) for call in calls if "--expect" in call]
    assert [(result.exit_code, result.stdout.split()[1]) for result in added] == [
        (0, "l1_soul_es"), (0, "l2_romans_es"), (0, "l3_soul_es"),
    ]  # fmt: skip
    shown = invoke("show", "l3_soul_es", "--format", "json").stdout
    assert json.loads(shown)["expected"]["counter_answers"] == ["El alma es inmortal."]


def test_an_unknown_case_names_the_nearest(added: Path, invoke: Invoke) -> None:
    for command in ("show", "history", "edit", "archive"):
        more = ("--set", "agent=x") if command == "edit" else ()
        result = invoke(command, "l1_sould_es", *more)
        assert result.exit_code == 5
        assert "did you mean l1_soul_es?" in result.stderr
    assert "did you mean apologetics?" in invoke("list", "--agent", "apologetic").stderr


def test_a_list_with_a_refused_file_is_exit_2_and_names_it(added: Path, invoke: Invoke) -> None:
    (added.parent / "bad.yaml").write_text("id: bad\nagnet: x\n")
    listed = invoke("list", "--format", "csv")
    assert (listed.exit_code, "l1_soul_es" in listed.stdout) == (2, True)
    assert "golden/l1/bad.yaml:2: unknown key `agnet`" in listed.stderr

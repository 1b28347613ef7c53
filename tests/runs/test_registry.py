"""Working with golden cases: registry and files say the same, and nothing is lost on the way."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from jw_eval_store.config import Config, load_config
from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.selections import Selection
from jw_eval_store.golden.drafting import assigned, draft
from jw_eval_store.golden.editing import REMOVED
from jw_eval_store.golden.writing import write_case
from jw_eval_store.runs.registry import opening
from jw_eval_store.runs.registry.changing import (
    add_case,
    archive_case,
    current_source,
    edit_case,
    restore_case,
)
from jw_eval_store.runs.registry.linting import lint_cases
from jw_eval_store.runs.registry.showing import case_history, diff_case, list_cases, show_case
from jw_eval_store.runs.registry.transfer import export_cases, import_cases
from jw_eval_store.store.cases import taken_ids
from jw_eval_store.store.connect import Connection
from tests.runs.conftest import Project

CASE = b"""\
# why this case is here
id: one
agent: answerer
input:
  question: "one"    # as people ask it
expected:
  min_findings: 1
"""


@pytest.fixture
def config(project: Project) -> Config:
    """A project with a configured, empty folder of cases."""
    return load_config(project.root, environ={})


@pytest.fixture
def bare(tmp_path: Path, project: Project) -> Config:
    """A folder without configuration: cases live in the registry alone."""
    folder = tmp_path / "bare"
    folder.mkdir()
    return load_config(folder, environ={})


def _file(config: Config, case_id: str = "one", layer: str = "l1") -> Path:
    return Path(config.settings.cases[0]) / layer / f"{case_id}.yaml"


def _write_case(folder: Path, name: str, case_id: str | None = None) -> None:
    folder.mkdir(exist_ok=True)
    source = CASE.replace(b"id: one", f"id: {case_id or name}".encode())
    (folder / f"{name}.yaml").write_bytes(source)


def _tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_an_added_case_stands_in_registry_and_file(config: Config) -> None:
    saved = add_case(config, CASE, layer="l1", author="ana", reason="first")
    assert (saved.outcome, saved.number, saved.path) == ("added", 1, _file(config))
    assert _file(config).read_bytes() == CASE
    shown = show_case(config, "one")
    assert (shown.source.encode(), shown.path, shown.case.id) == (CASE, _file(config), "one")
    [event] = case_history(config, "one")
    assert (event.kind, event.author, event.reason) == ("add", "ana", "first")


def test_without_a_folder_a_case_is_in_the_registry_alone(bare: Config) -> None:
    assert add_case(bare, CASE, layer="l1").path is None
    assert edit_case(bare, "one", changes={"expected.min_findings": 2}).outcome == "changed"
    assert b"min_findings: 2" in current_source(bare, "one")
    assert _tree(bare.root).keys() == {".jw-eval/.gitignore", ".jw-eval/results.db"}


def test_an_id_is_given_once(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    with pytest.raises(UsageError, match="exists already"):
        add_case(config, CASE, layer="l1")
    archive_case(config, "one")
    with pytest.raises(UsageError, match="restore one"):
        add_case(config, CASE, layer="l1")


@pytest.mark.parametrize("case_id", ["CON", "Nul", "lpt1.l1", "soul."])
def test_a_new_id_that_is_no_name_for_a_file_everywhere_is_refused(
    config: Config, tmp_path: Path, case_id: str
) -> None:
    source = CASE.replace(b"id: one", f"id: {case_id}".encode())
    with pytest.raises(UsageError, match="can't be the name of a file: Windows"):
        add_case(config, source, layer="l1")
    (tmp_path / "l1").mkdir()
    (tmp_path / "l1" / "case.yaml").write_bytes(source)
    [refused] = import_cases(config, [tmp_path / "l1"]).invalid
    assert "can't be the name of a file" in refused.message
    assert _tree(Path(config.settings.cases[0])) == {}


def test_a_new_id_that_only_case_tells_from_another_is_refused(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    with pytest.raises(UsageError, match="differs from 'one' in upper and lower case only"):
        add_case(config, CASE.replace(b"id: one", b"id: ONE"), layer="l1")
    archive_case(config, "one")
    with pytest.raises(UsageError, match="differs from 'one'"):
        add_case(config, CASE.replace(b"id: one", b"id: One"), layer="l1")


def test_an_import_asks_once_for_the_ids_and_knows_those_that_it_stored(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        _write_case(tmp_path / "l1", f"case_{number:02}")
    _write_case(tmp_path / "l1", "x_other", case_id="Case_07")
    asked: list[Connection] = []

    def asking(conn: Connection) -> list[str]:
        asked.append(conn)
        return taken_ids(conn)

    monkeypatch.setattr(opening, "taken_ids", asking)
    report = import_cases(config, [tmp_path / "l1"])
    assert [saved.outcome for saved in report.saved] == ["added"] * 20
    [refused] = report.invalid
    assert "'Case_07' differs from 'case_07' in upper and lower case only" in refused.message
    assert len(asked) == 1


def test_an_id_that_was_not_stored_is_free_for_the_next_file(
    config: Config, tmp_path: Path
) -> None:
    in_the_way = Path(config.settings.cases[0]) / "l1" / "one.yaml"
    in_the_way.parent.mkdir(parents=True, exist_ok=True)
    in_the_way.write_bytes(CASE.replace(b"min_findings", b"min_finding"))
    _write_case(tmp_path / "l1", "a", case_id="one")
    _write_case(tmp_path / "l1", "b", case_id="One")
    refused = import_cases(config, [tmp_path / "l1"]).invalid
    assert "holds something else" in refused[0].message
    assert not [file for file in refused if "upper and lower case" in file.message]


def test_an_id_of_before_it_was_refused_stays_readable(config: Config, project: Project) -> None:
    project.case("NUL")
    assert show_case(config, "NUL").case.id == "NUL"
    assert edit_case(config, "NUL", changes={"expected.min_findings": 2}).outcome == "changed"
    assert not import_cases(config, [_file(config, "NUL")]).invalid


def test_what_is_refused_is_stored_nowhere(config: Config) -> None:
    with pytest.raises(UsageError) as caught:
        add_case(config, CASE.replace(b"min_findings", b"min_finding"), name="x.yaml", layer="l1")
    assert "x.yaml:7: unknown key `expected.min_finding`" in str(caught.value)
    assert "min_findings" in str(caught.value)
    with pytest.raises(EmptySelectionError):
        list_cases(config)
    assert _tree(Path(config.settings.cases[0])) == {}


def test_a_file_in_the_way_is_not_overwritten_and_nothing_is_stored(config: Config) -> None:
    _file(config).parent.mkdir(parents=True)
    _file(config).write_bytes(b"notes, not a case")
    with pytest.raises(UsageError, match="holds something else"):
        add_case(config, CASE, layer="l1")
    assert _file(config).read_bytes() == b"notes, not a case"
    with pytest.raises(EmptySelectionError):
        show_case(config, "one")


def test_an_edit_changes_its_line_in_file_and_registry(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    saved = edit_case(config, "one", changes={"input.question": "two words"}, reason="clearer")
    after = CASE.replace(b'question: "one"', b'question: "two words"')
    assert (saved.outcome, saved.number) == ("changed", 2)
    assert _file(config).read_bytes() == after
    assert show_case(config, "one").source.encode() == after
    assert show_case(config, "one", number=1).source.encode() == CASE
    assert diff_case(config, "one").splitlines()[-4:-1] == [
        '-  question: "one"    # as people ask it',
        '+  question: "two words"    # as people ask it',
        " expected:",
    ]
    assert [event.kind for event in case_history(config, "one")] == ["add", "edit"]


def test_an_edit_that_changes_nothing_is_no_revision(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    assert edit_case(config, "one", changes={"expected.min_findings": 1}).outcome == "unchanged"
    assert len(case_history(config, "one")) == 1


def test_a_whole_yaml_replaces_the_old_one_if_nobody_else_was_faster(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    started = current_source(config, "one")
    mine = started.replace(b"min_findings: 1", b"min_findings: 3")
    edit_case(config, "one", changes={"metadata.topic": "love"})
    with pytest.raises(UsageError, match="changed by someone else"):
        edit_case(config, "one", source=mine, based_on=started)
    again = current_source(config, "one")
    mine = again.replace(b"min_findings: 1", b"min_findings: 3")
    edit_case(config, "one", source=mine, based_on=again)
    assert _file(config).read_bytes() == mine


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"id": "two"}, "cannot change"),
        ({"expected.min_findings": "many"}, "not a whole number"),
        ({"layer": "l2"}, "folder says l1"),
        ({"expected": REMOVED}, "missing"),
    ],
)
def test_an_edit_that_gives_no_case_is_refused(
    config: Config, changes: dict[str, object], words: str
) -> None:
    add_case(config, CASE, layer="l1")
    with pytest.raises(UsageError, match=words):
        edit_case(config, "one", changes=changes)
    assert _file(config).read_bytes() == CASE


def test_a_file_that_was_edited_is_what_the_next_edit_starts_from(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    _file(config).write_bytes(CASE.replace(b"answerer", b"other_agent"))
    edit_case(config, "one", changes={"expected.min_findings": 2})
    assert b"agent: other_agent" in _file(config).read_bytes()
    assert b"min_findings: 2" in _file(config).read_bytes()


def test_a_broken_file_is_never_written_over(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    _file(config).write_bytes(b"id: [")
    with pytest.raises(UsageError, match="is not YAML"):
        edit_case(config, "one", changes={"expected.min_findings": 2})
    with pytest.raises(UsageError, match="is not YAML"):
        archive_case(config, "one")
    assert _file(config).read_bytes() == b"id: ["
    assert show_case(config, "one").source.encode() == CASE
    assert not show_case(config, "one").row.archived


def test_an_archived_case_leaves_runs_and_folder_and_comes_back_whole(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    archive_case(config, "one", reason="obsolete")
    assert not _file(config).exists()
    with pytest.raises(EmptySelectionError):
        list_cases(config)
    assert [row.case_id for row in list_cases(config, archived=True).cases] == ["one"]
    with pytest.raises(UsageError, match="is archived"):
        edit_case(config, "one", changes={"expected.min_findings": 2})
    assert archive_case(config, "one").outcome == "unchanged"
    assert restore_case(config, "one").path == _file(config)
    assert _file(config).read_bytes() == CASE
    assert restore_case(config, "one").outcome == "unchanged"
    assert [event.kind for event in case_history(config, "one")] == ["add", "archive", "restore"]


def test_a_typo_names_the_nearest_case(config: Config) -> None:
    add_case(config, CASE.replace(b"id: one", b"id: trinity_es"), layer="l1")
    for act in (show_case, case_history, diff_case, archive_case, restore_case, current_source):
        with pytest.raises(EmptySelectionError, match="did you mean trinity_es"):
            act(config, "trinity_en")
    with pytest.raises(EmptySelectionError, match="no case selected for agent 'nobody'"):
        list_cases(config, Selection(layers=LAYERS, agents=("nobody", "answerer")))


def test_a_diff_without_an_earlier_revision_is_said(config: Config) -> None:
    add_case(config, CASE, layer="l1")
    with pytest.raises(UsageError, match="no revision before 1"):
        diff_case(config, "one")
    with pytest.raises(EmptySelectionError, match="no revision 7"):
        diff_case(config, "one", 7, 1)


def test_export_and_import_are_idempotent_and_byte_exact(
    config: Config, bare: Config, tmp_path: Path, project: Project
) -> None:
    project.case("two", "l2")
    add_case(config, b"\xef\xbb\xbf" + CASE.replace(b"\n", b"\r\n"), layer="l1")
    out = tmp_path / "out"
    assert len(export_cases(config, out).written) == 2
    assert _tree(out) == _tree(Path(config.settings.cases[0]))
    again = export_cases(config, out)
    assert (len(again.written), len(again.unchanged)) == (0, 2)
    assert {saved.outcome for saved in import_cases(bare, [out]).saved} == {"added"}
    assert {saved.outcome for saved in import_cases(bare, [out]).saved} == {"unchanged"}
    back = tmp_path / "back"
    export_cases(bare, back)
    assert _tree(back) == _tree(out)


def test_an_edited_case_exports_with_its_comments(bare: Config, tmp_path: Path) -> None:
    add_case(bare, CASE, layer="l1")
    edit_case(bare, "one", changes={"expected.min_findings": 2})
    export_cases(bare, tmp_path / "out")
    exported = (tmp_path / "out/l1/one.yaml").read_bytes()
    assert exported == CASE.replace(b"min_findings: 1", b"min_findings: 2")


def test_export_leaves_what_is_not_the_case_alone(bare: Config, tmp_path: Path) -> None:
    add_case(bare, CASE, layer="l1")
    target = tmp_path / "out/l1/one.yaml"
    target.parent.mkdir(parents=True)
    target.write_bytes(CASE.replace(b"id: one", b"id: other"))
    report = export_cases(bare, tmp_path / "out")
    assert [problem.path for problem in report.invalid] == [str(target)]
    assert b"id: other" in target.read_bytes()
    target.write_bytes(CASE.replace(b"answerer", b"older"))
    assert export_cases(bare, tmp_path / "out").written == [target]
    assert target.read_bytes() == CASE


def test_import_archives_nothing_and_goes_on_after_a_bad_file(
    config: Config, tmp_path: Path
) -> None:
    add_case(config, CASE, layer="l1")
    folder = tmp_path / "more/l1"
    folder.mkdir(parents=True)
    (folder / "two.yaml").write_bytes(CASE.replace(b"id: one", b"id: two"))
    (folder / "bad.yaml").write_bytes(b"id: [")
    report = import_cases(config, [tmp_path / "more"])
    assert [(saved.case_id, saved.outcome) for saved in report.saved] == [("two", "added")]
    assert [Path(problem.path).name for problem in report.invalid] == ["bad.yaml"]
    assert [row.case_id for row in list_cases(config).cases] == ["one", "two"]
    assert _file(config, "two").exists()
    with pytest.raises(EmptySelectionError, match="no case file"):
        import_cases(config, [config.root / "agents"])


def test_a_conflict_is_seen_and_solved_either_way(config: Config, tmp_path: Path) -> None:
    """The registry's side of the conflict comes from another machine: no file was written."""
    for solve, expected in (
        (lambda: import_cases(config, [_file(config)]), b"answerer_f"),
        (lambda: export_cases(config, Path(config.settings.cases[0])), b"answerer_r"),
    ):
        shutil.rmtree(config.root / ".jw-eval", ignore_errors=True)
        _file(config).unlink(missing_ok=True)
        add_case(config, CASE, layer="l1")
        _edit_elsewhere(config, CASE.replace(b"answerer", b"answerer_r"))
        _file(config).write_bytes(CASE.replace(b"answerer", b"answerer_f"))
        [problem] = list_cases(config).invalid
        assert "edited in the file and in the registry" in problem.message
        assert "+agent: answerer_f" in diff_case(config, "one")
        with pytest.raises(UsageError, match="edited in the file and in the registry"):
            edit_case(config, "one", changes={"expected.min_findings": 2})
        solve()
        assert list_cases(config).invalid == []
        assert expected in _file(config).read_bytes()
        assert expected in current_source(config, "one")


def _edit_elsewhere(config: Config, source: bytes) -> None:
    """Change the registry without the file, as `db merge` does."""
    from jw_eval_store.golden.reading import ReadCase, read_case
    from jw_eval_store.store.cases import put_case
    from jw_eval_store.store.connect import transaction, writing

    read = read_case("x", source, "l1")
    assert isinstance(read, ReadCase)
    with writing(config.database) as conn, transaction(conn):
        put_case(conn, read.case, source.decode(), "edit")


def test_bundled_cases_are_shown_but_not_changed(bare: Config, tmp_path: Path) -> None:
    listed = list_cases(bare, demonstration=True).cases
    assert len(listed) >= 34
    case_id = listed[0].case_id
    assert show_case(bare, case_id, demonstration=True).path is None
    with pytest.raises(EmptySelectionError):
        list_cases(bare)
    for act in (archive_case, restore_case, current_source):
        with pytest.raises(UsageError, match="came with jw-eval"):
            act(bare, case_id)
    assert export_cases(bare, tmp_path / "out", demonstration=True).invalid == []
    report = import_cases(bare, [tmp_path / "out"])
    assert len(report.invalid) == len(listed)
    assert not report.saved


def test_a_case_is_drafted_from_single_values(config: Config) -> None:
    values = assigned(
        [
            "id=l2_love", "agent=answerer", "layer=l2", "input.reference=Juan 3:16",
            "input.chapter=3", "input.visual=true", "input.verse=3:16",
            "expected.expected_citations=https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3",
            "expected.support_phrases=loved the world", "expected.support_phrases=no",
            "metadata.tags=[love, 3]", "metadata.topic=",
        ]
    )  # fmt: skip
    case = draft(values)
    assert case.input == {"reference": "Juan 3:16", "chapter": 3, "visual": True, "verse": "3:16"}
    assert case.metadata == {"tags": ["love", 3]}
    add_case(config, write_case(case), layer=case.layer)
    assert show_case(config, "l2_love").case == case


def test_numbers_and_switches_are_typed_where_the_key_wants_one_and_keywords_stay_text() -> None:
    texts = ["expected.min_findings=3", "expected.must_have_citation=true", "judge.pass_at=0.6"]
    texts += ["judge.score_range=[0, 5]", "expected.required_keywords_any=3", "judge.graph=3"]
    assert list(assigned(texts).values()) == [3, True, 0.6, [0, 5], "3", "3"]
    texts = ["expected.min_findings=true", "judge.pass_at=1", "judge.pass_at=null"]
    assert [[*assigned([text]).values()] for text in texts] == [["true"], [1], ["null"]]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["id"], "is not key=value"),
        (["=x"], "is not key=value"),
        (["metadata.tags=[a"], "metadata.tags"),
        (["id=a", "layer=l4"], "names no layer"),
        (["id=a", "layer=l1", "agent=b", "input.q=x", "expected.min_finding=1"], "min_findings"),
        (["id=a", "layer=l1", "input=x", "input.q=y"], "cannot both be set"),
        (["layer=l1", "expected.min_findings=true"], "'true' is not a whole number"),
    ],
)
def test_a_draft_that_is_no_case_is_explained(texts: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        draft(assigned(texts))


def test_lint_needs_no_database(config: Config, project: Project) -> None:
    project.case("one", expected="max_findings: 3")
    project.case("two", "l2")
    project.case("three", agent="anserer")
    report = lint_cases(config)
    said = [(finding.case_id, finding.rule) for finding in report.findings]
    assert said == [
        ("one", "empty-answer-passes"),
        ("three", "unknown-agent"),
        ("two", "evidence-missing"),
    ]
    assert (report.checked, report.errors) == (3, 1)
    assert not config.database.exists()
    project.snapshot("For God hated the world")
    assert "phrase-not-in-evidence" in [finding.rule for finding in lint_cases(config).findings]


def test_lint_takes_files_and_folders_each_once(config: Config, project: Project) -> None:
    path = project.case("one")
    (path.parent / "bad.yaml").write_bytes(b"id: [")
    report = lint_cases(config, [path.parent, path])
    assert (report.checked, len(report.invalid), report.errors) == (1, 1, 1)
    with pytest.raises(EmptySelectionError):
        lint_cases(config, [project.root / "agents"])


def test_lint_without_files_looks_at_the_registry(bare: Config) -> None:
    with pytest.raises(EmptySelectionError):
        lint_cases(bare)
    add_case(bare, CASE.replace(b"min_findings: 1", b"max_findings: 3"), layer="l1")
    assert [finding.rule for finding in lint_cases(bare).findings] == ["empty-answer-passes"]


def test_lint_checks_the_graph_beside_the_case(config: Config) -> None:
    source = CASE.partition(b"expected:")[0] + b"golden_answer: It is so.\n"
    source += b"judge: {strategy: graph, pass_at: 0.5, graph: mine.yaml}\n"
    add_case(config, source, layer="l3")
    [finding] = lint_cases(config).findings
    assert (finding.rule, finding.line) == ("unsound-graph", 7)
    assert "there is no judge graph 'mine.yaml'" in finding.message


def test_the_bundled_cases_are_clean(bare: Config) -> None:
    report = lint_cases(bare, demonstration=True)
    assert report.checked >= 34
    assert [f for f in report.findings if f.severity == "error"] == []
    assert report.invalid == []


def test_a_file_that_cannot_be_read_never_stops_the_others(
    config: Config, project: Project
) -> None:
    folder = project.case("one").parent
    (folder / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(folder / "pipe.yaml")
    shutil.copy(folder / "one.yaml", folder / os.fsdecode(b"bad\xff.yaml"))
    found = list_cases(config, Selection(layers=LAYERS))
    assert [row.case_id for row in found.cases] == ["one"]
    assert [(Path(file.path).name, file.message) for file in found.invalid] == [
        ("bad?.yaml", "its name is not UTF-8"),
        ("loop.yaml", "cannot be read: Too many levels of symbolic links"),
        ("pipe.yaml", "cannot be read: it is no file"),
    ]


def test_a_link_to_a_folder_of_cases_is_refused_lest_they_go_missing_unseen(
    config: Config, project: Project, tmp_path: Path
) -> None:
    folder = project.case("one").parent
    shared = tmp_path / "shared"
    (shared / "l1").mkdir(parents=True)
    for name, target in (("shared", shared), ("again", folder), ("up", project.root)):
        (folder / name).symlink_to(target, target_is_directory=True)
    assert list_cases(config, Selection(layers=LAYERS)).invalid == []
    shutil.copy(folder / "one.yaml", shared / "l1" / "two.yaml")
    for _ in range(2):
        (refused,) = list_cases(config, Selection(layers=LAYERS)).invalid
        assert refused.path == str(folder / "shared")
        assert "links to folders are not followed" in refused.message
    report = project.run()
    assert (report.gate.verdict, len(report.results)) == ("invalid", 1)


def test_an_empty_one_of_several_folders_is_refused_as_a_missing_one_is(project: Project) -> None:
    project.case("one")
    text = (project.root / "jw-eval.toml").read_text()
    (project.root / "jw-eval.toml").write_text(text.replace('["cases"]', '["cases", "module"]'))
    module = project.root / "module"
    with pytest.raises(UsageError, match=f"the cases folder {module} does not exist"):
        project.run()
    module.mkdir()
    with pytest.raises(UsageError, match=f"the cases folder {module} is empty"):
        project.run()
    (module / ".gitkeep").touch()
    assert project.run().gate.verdict == "passed"

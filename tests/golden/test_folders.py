"""Folders of cases: order, hidden files, links, duplicates, and what cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.golden.folders import case_files, read_file, read_folder

CASE = "id: {id}\nagent: echo\ninput:\n  q: x\nexpected:\n  min_findings: 1\n"


def _write(path: Path, case_id: str = "one") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CASE.format(id=case_id), encoding="utf-8")
    return path


def test_files_come_sorted_without_what_is_no_case(tmp_path: Path) -> None:
    for name in (
        "l1/b.yaml",
        "l1/a.yml",
        "l1/.hidden.yaml",
        ".git/l1/x.yaml",
        "a/l1/c.yaml",
        "policy.yaml",
        "l1/mine.graph.yaml",
    ):
        _write(tmp_path / name)
    found = [path.relative_to(tmp_path).as_posix() for path in case_files(tmp_path)]
    assert found == ["a/l1/c.yaml", "l1/a.yml", "l1/b.yaml"]


def test_links_to_folders_are_left_out(tmp_path: Path) -> None:
    root = tmp_path / "cases"
    _write(root / "l1/a.yaml")
    (root / "l1/loop").symlink_to(root, target_is_directory=True)
    (root / "again").symlink_to(root / "l1", target_is_directory=True)
    (root / "up").symlink_to(tmp_path, target_is_directory=True)
    (root / "self").symlink_to(root / "self")
    assert [path.name for path in case_files(root)] == ["a.yaml"]


def test_the_second_file_of_an_id_is_refused_naming_the_first(tmp_path: Path) -> None:
    first, second = _write(tmp_path / "l1/a.yaml"), _write(tmp_path / "l1/b.yaml")
    third = _write(tmp_path / "l1/c.yaml", "two")
    cases, refused = read_folder(tmp_path)
    assert [read.path for read in cases] == [str(first), str(third)]
    [problem] = refused
    assert (problem.path, problem.line) == (str(second), 1)
    assert problem.message == f"id 'one' is already that of {first}"


@pytest.mark.parametrize("name", ["missing", "file.yaml"])
def test_what_is_no_folder_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.yaml").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match=name):
        list(case_files(tmp_path / name))


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    dangling = tmp_path / "gone.yaml"
    dangling.symlink_to(tmp_path / "nowhere")
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    cases, refused = read_folder(tmp_path)
    assert not cases
    assert [Path(p.path).name for p in refused] == ["gone.yaml", "pipe.yaml"]
    assert "cannot be read" in refused[0].message
    assert refused[1].message == "is not a file"


def test_the_folder_above_the_file_alone_names_the_layer(tmp_path: Path) -> None:
    deep = _write(tmp_path / "l1/more/a.yaml")
    read = read_file(deep)
    assert isinstance(read, list)
    assert read[0].message == "names no layer"

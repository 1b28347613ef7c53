"""What is installed is read from the head of its metadata, and says what all of it says."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from jw_eval_store.agents.host.distributions import closure, names, versions

README = "\n\nVersion: 9\n\nRequires-Dist: unlucky\n"


def installed(folder: Path, kind: str, files: dict[str, str]) -> None:
    place = folder / f"answering-1.2.{kind}"
    place.mkdir(parents=True)
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")


def test_versions_are_those_that_importlib_finds() -> None:
    found = list(metadata.distributions())
    whole = {one.metadata["Name"]: one.version for one in found}
    assert len(whole) > 20
    assert {n: v for n, v in versions(found).items() if n != "python"} == whole
    assert names(found) == set(whole)


def test_a_readme_that_looks_like_a_head_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "Metadata-Version: 2.1\nName: Answering\nVersion: 1.2\nRequires-Dist: click>=8"
    installed(tmp_path, "dist-info", {"METADATA": head + README})
    monkeypatch.syspath_prepend(tmp_path)
    found = versions(closure(["answering"]))
    assert (found["Answering"], found["click"]) == ("1.2", metadata.version("click"))
    assert set(found) == {"Answering", "click", "python"}


def test_an_old_installation_has_its_requirements_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "Metadata-Version: 1.1\nName: answering\nVersion: 1.2\n"
    installed(tmp_path, "egg-info", {"PKG-INFO": head, "requires.txt": "click\n\n[x]\nruff\n"})
    monkeypatch.syspath_prepend(tmp_path)
    assert set(versions(closure(["answering"]))) == {"answering", "click", "python"}


def test_an_installation_may_be_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "answering-1.2.egg-info").write_text("Name: answering\nVersion: 1.2\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert versions(closure(["answering"]))["answering"] == "1.2"


def test_the_rest_of_a_broken_installation_has_no_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, "dist-info", {"RECORD": ""})
    monkeypatch.syspath_prepend(tmp_path)
    assert len(closure(["answering"])) == 1
    assert set(versions(closure(["answering"]))) == {"python"}

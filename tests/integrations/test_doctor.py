"""The check-up of a set-up: what is broken is named, with the next step."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from jw_eval_cli.main import cli
from jw_eval_store.config import load_config
from jw_eval_store.integrations.doctor.checkup import CHECKS, examine
from jw_eval_store.integrations.doctor.finding import Finding
from jw_eval_store.reports.checkup import checkup_text
from jw_eval_store.reports.interface import Page
from tests.runs.conftest import Project


def examined(root: Path) -> dict[str, Finding]:
    environ = {"JW_EVAL_LLM": "none", "JW_EVAL_EMBEDDER": "none"}
    return {found.part: found for found in examine(load_config(root, environ=environ))}


def test_a_sound_project_has_nothing_broken(project: Project) -> None:
    project.case("one")
    project.snapshot()
    found = examined(project.root)
    assert {f.part for f in found.values() if f.state == "broken"} == set()
    assert found["agent answerer"].state == "ok"
    assert found["cases"].text.endswith("1 file")
    assert (found["judge"].state, found["embedder"].state) == ("note", "note")


def test_what_is_missing_is_noted_with_the_next_step(tmp_path: Path) -> None:
    found = examined(tmp_path)
    assert found["configuration"].hint == "jw-eval init"
    assert found["agents"].state == "note"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("configuration", "part", "text"),
    [
        ('cases = ["nowhere"]', "cases", "does not exist"),
        ('policy = "none.yaml"', "policy", "does not exist"),
        ('[agents.broken]\ntarget = "nothing:here"', "agent broken", "nothing"),
        ('[agents.broken]\ntarget = "a:b"\npython = "no/python"', "agent broken", "no/python"),
        (
            '[agents.b]\nadapter = "command"\ntarget = "no-such-program"',
            "agent b",
            "no-such-program",
        ),
        (
            '[embedder]\nbackend = "ollama"\nmodel = "m"\nurl = "http://127.0.0.1:9"',
            "embedder",
            "127.0.0.1:9",
        ),
        ('db = "text.db"', "database", "text.db"),
    ],
)
def test_what_is_broken_is_named(tmp_path: Path, configuration: str, part: str, text: str) -> None:
    (tmp_path / "text.db").write_text("this is no database at all")
    (tmp_path / "jw-eval.toml").write_text(configuration)
    found = {f.part: f for f in examine(load_config(tmp_path, environ={"JW_EVAL_LLM": "none"}))}
    assert found[part].state == "broken", found[part]
    assert text in found[part].text
    assert found[part].hint


def test_a_fingerprint_that_cannot_be_asked_is_told_from_none(tmp_path: Path) -> None:
    agents = '[agents.{}]\nadapter = "http"\ntarget = "http://127.0.0.1:9/ask"\n{}\n'
    declared = 'fingerprint = ["url: http://127.0.0.1:9/version"]'
    text = agents.format("silent", declared) + agents.format("unknown", "")
    (tmp_path / "jw-eval.toml").write_text(text)
    found = examined(tmp_path)
    silent, unknown = found["agent silent"], found["agent unknown"]
    assert "fingerprint 'url: http://127.0.0.1:9/version' could not be reached: " in silent.text
    assert (silent.state, silent.hint) == ("note", "start it, or mend `fingerprint`")
    assert "its files are not known" in unknown.text


def test_a_check_that_fails_is_a_finding(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(config: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr("jw_eval_store.integrations.doctor.checkup.CHECKS", (failing, *CHECKS[:1]))
    found = list(examine(load_config(project.root, environ={})))
    assert [f.state for f in found] == ["broken", "ok"]
    assert "odd" in found[0].text


def test_the_command_fails_where_something_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("JW_EVAL_LLM", "JW_EVAL_EMBEDDER"):
        monkeypatch.setenv(name, "none")
    assert CliRunner().invoke(cli, ["doctor"]).exit_code == 0
    (tmp_path / "jw-eval.toml").write_text('cases = ["nowhere"]\n')
    broken = CliRunner().invoke(cli, ["doctor"])
    assert broken.exit_code == 1
    assert "nowhere does not exist" in broken.stdout.replace("\n", " ")
    assert '"state": "broken"' in CliRunner().invoke(cli, ["doctor", "--format", "json"]).stdout


@pytest.mark.parametrize("width", [40, 60, 100])
def test_a_check_up_fits_a_narrow_window(width: int) -> None:
    rows = [
        ("agent apologetics", "broken", "it cannot be started: no module named toolkit", "look"),
        ("sqlite", "ok", "3.40.1", ""),
    ]
    text = checkup_text(rows, Page(width))
    assert max(len(line) for line in text.splitlines()) <= width
    assert "1 part broken" in text

"""Names become agents: configuration first, and never a fall-through."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.agents.build import build_agent
from jw_eval_store.agents.interface import AgentCall
from jw_eval_store.agents.registry import known_agents, resolve_agents
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.settings import AgentSettings, Settings

CALL = AgentCall("c", {"question": "q"})


@pytest.fixture(autouse=True)
def _own_imports(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in set(sys.modules) - before:
        if name.startswith("reg_"):
            del sys.modules[name]


def local(target: str) -> AgentSettings:
    return AgentSettings(target=target, isolation="in_process")


def write(folder: Path, name: str, source: str) -> None:
    (folder / f"{name}.py").write_text(source)


def entry_point(folder: Path, group: str, name: str, target: str) -> None:
    info = folder / "reg_plugin-1.2.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: reg-plugin\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
    sys.path.insert(0, str(folder))


ANSWER = "def ask(question):\n    return [{'text': 'hello', 'source': __name__}]\n"


def test_a_configured_agent_beside_the_configuration_is_found(tmp_path: Path) -> None:
    write(tmp_path, "reg_one", ANSWER)
    settings = Settings(agents={"mine": local("reg_one:ask")})
    agents = resolve_agents(settings, tmp_path, ["mine"])
    assert agents["mine"].origin == "configuration: reg_one:ask"
    output = agents["mine"].call(CALL).output
    assert output is not None
    assert output.findings[0].text == "hello"
    agents["mine"].close()


def test_configuration_wins_over_bundled_and_entry_point(tmp_path: Path) -> None:
    entry_point(tmp_path, "jw_eval.agents", "mine", "reg_plugin:ask")
    bundled = {"mine": local("reg_sample:ask"), "other": local("reg_sample:ask")}
    settings = Settings(agents={"mine": local("reg_one:ask")})
    origins = {agent.name: agent.origin for agent in known_agents(settings, bundled)}
    assert origins["mine"].startswith("configuration")
    assert origins["other"] == "bundled sample: reg_sample:ask"
    origins = {agent.name: agent.origin for agent in known_agents(Settings(), None)}
    assert origins["mine"] == "entry point jw_eval.agents of reg-plugin 1.2: reg_plugin:ask"


def test_bundled_agents_serve_only_when_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no agent 'apologetics'"):
        resolve_agents(Settings(), tmp_path, ["apologetics"])


def test_a_configured_agent_that_does_not_exist_is_no_fall_through(tmp_path: Path) -> None:
    settings = Settings(agents={"mine": local("reg_missing:ask")})
    with pytest.raises(UsageError, match=r"agent 'mine'.*no module 'reg_missing'"):
        resolve_agents(settings, tmp_path, ["mine"], {"mine": local("json:dumps")})


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("reg_one", "not of the form"),
        ("reg_one:missing", "has no 'missing'"),
        ("reg_one:VALUE", "is int, not a function"),
    ],
)
def test_a_target_that_cannot_be_right_is_refused(
    tmp_path: Path, target: str, message: str
) -> None:
    write(tmp_path, "reg_one", "VALUE = 3\n")
    with pytest.raises(UsageError, match=message):
        resolve_agents(Settings(agents={"a": local(target)}), tmp_path, ["a"])


@pytest.mark.parametrize("source", ["import reg_nothing\n", "def (:\n", "raise SystemExit(1)\n"])
def test_an_agent_whose_import_fails_is_unavailable_and_the_others_go_on(
    tmp_path: Path, source: str
) -> None:
    write(tmp_path, "reg_broken", source)
    write(tmp_path, "reg_one", ANSWER)
    settings = Settings(agents={"bad": local("reg_broken:ask"), "good": local("reg_one:ask")})
    agents = resolve_agents(settings, tmp_path, ["bad", "good"])
    reply = agents["bad"].call(CALL)
    assert reply.error == "agent_unavailable"
    assert "importing it failed" in reply.message
    assert agents["bad"].fingerprint() is None
    assert agents["good"].call(CALL).error is None
    for agent in agents.values():
        agent.close()


def test_an_unknown_name_suggests_the_nearest(tmp_path: Path) -> None:
    settings = Settings(preset="toolkit")
    with pytest.raises(UsageError, match="did you mean 'apologetics'") as caught:
        resolve_agents(settings, tmp_path, ["apologetcs"])
    assert "verse_explainer" in (caught.value.hint or "")


def test_the_preset_names_the_toolkits_functions() -> None:
    known = {agent.name: agent for agent in known_agents(Settings(preset="toolkit"))}
    assert known["verse_explainer"].target == "jw_agents.verse_explainer:verse_explainer"
    assert known["verse_explainer"].settings.rename == {"reference": "text"}


def test_one_interpreter_can_be_set_for_all(tmp_path: Path) -> None:
    known = known_agents(Settings(preset="toolkit", python="venv/bin/python"))
    assert {agent.settings.python for agent in known} == {"venv/bin/python"}
    assert known[0].origin.endswith("in venv/bin/python")
    near = Settings(agents={"a": local("reg_one:ask")}, python="venv/bin/python")
    assert known_agents(near)[0].settings.python is None


def test_a_root_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "reg_one", ANSWER)
    settings = Settings(agents={"a": AgentSettings(target="reg_one:ask", roots=("src/x",))})
    with pytest.raises(UsageError, match="does not exist"):
        resolve_agents(settings, tmp_path, ["a"])


def test_a_root_that_is_a_file_is_refused_as_one(tmp_path: Path) -> None:
    write(tmp_path, "reg_one", ANSWER)
    settings = Settings(agents={"a": AgentSettings(target="reg_one:ask", roots=("reg_one.py",))})
    with pytest.raises(UsageError, match="is no folder"):
        resolve_agents(settings, tmp_path, ["a"])


@pytest.mark.parametrize("isolation", ["host", "in_process"])
def test_a_declared_fingerprint_of_python_code_is_refused_not_ignored(
    tmp_path: Path, isolation: Any
) -> None:
    settings = AgentSettings(target="x:y", isolation=isolation, fingerprint=("data/*.json",))
    with pytest.raises(UsageError, match="agent 'mine' is Python code and has fingerprint") as said:
        build_agent("mine", "test", settings, tmp_path)
    assert said.value.hint == "name the folders of its files instead: roots = [...]"

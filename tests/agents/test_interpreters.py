"""Hosts in other interpreters, with nothing installed there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.host_sample import agent_of, ask, text, write_sample

REAL_HOME = Path.home()
INTERPRETERS = [
    found
    for version in ("3.9", "3.10", "3.12", "3.13")
    for found in sorted(REAL_HOME.glob(f".pyenv/versions/{version}.*/bin/python"))[:1]
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("toolkit"))


@pytest.mark.parametrize("version", ["3.8", "3.7"])
def test_an_interpreter_that_is_too_old_says_so(folder: Path, version: str) -> None:
    found = sorted(REAL_HOME.glob(f".pyenv/versions/{version}.*/bin/python"))
    if not found:
        pytest.skip(f"no Python {version} here")
    subject = agent_of(folder, python=str(found[0]))
    reply = ask(subject, "q")
    subject.close()
    assert reply.error == "agent_unavailable"
    assert f"Python {version} of {found[0]} is too old" in reply.message


def test_what_is_no_interpreter_is_unavailable(folder: Path) -> None:
    fake = folder / "python"
    fake.write_text("not a program")
    fake.chmod(0o755)
    subject = agent_of(folder, python=str(fake))
    reply = ask(subject, "q")
    subject.close()
    assert (reply.error, "cannot be run" in reply.message) == ("agent_unavailable", True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("python", INTERPRETERS, ids=lambda path: path.parts[-3])
@pytest.mark.parametrize("function", ["act", "act_async"])
def test_other_interpreters_host_agents_without_anything_installed(
    folder: Path, python: Path, function: str
) -> None:
    subject = agent_of(folder, function, python=str(python), roots=(str(folder),))
    reply = ask(subject, "print")
    assert reply.error is None, reply.message + reply.log
    assert "print" in reply.log
    fingerprint = subject.fingerprint()
    assert fingerprint is not None
    assert python.parts[-3] in fingerprint.versions["python"]
    assert f"{folder.name}/host_agent_sample.py" in fingerprint.files
    if function == "act":
        assert "2026-01-02" in text(ask(subject, "now", now="2026-01-02T03:04:05Z"))
        assert ask(subject, "segv").error == "agent_crash"
    subject.close()

"""What a configuration declares of an agent outside of Python, where it can't be asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from jw_eval_store.agents.build import build_agent
from jw_eval_store.domain.settings import AgentSettings


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("command: false", "failed: exited with status 1"),
        ("command: no-such-program-here", "failed: "),
        ("command: 'open", "failed: "),
        ("url: http://127.0.0.1:9/version", "could not be reached: "),
        ("url: http://[", "could not be reached: "),
    ],
)
def test_a_fingerprint_that_could_not_be_asked_says_why(
    tmp_path: Path, entry: str, why: str
) -> None:
    settings = AgentSettings(adapter="http", target="http://x.y/ask", fingerprint=(entry,))
    agent = build_agent("a", "test", settings, tmp_path)
    assert (agent.silent, agent.fingerprint()) == ("", None)
    assert agent.silent.startswith(f"fingerprint {entry!r} {why}")
    agent.close()

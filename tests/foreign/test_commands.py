"""The commands around recordings, on the recorded project."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.foreign.conftest import Foreign


def command(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jw_eval_cli", "agents", *words],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_recordings_are_listed_shown_and_verified(recorded: Path) -> None:
    listed = command(recorded, "recordings", "list", "--format", "json")
    rows = json.loads(listed.stdout)
    assert [row["case"] for row in rows][:2] == ["apologetics_0", "meeting_helper_0"]
    shown = command(recorded, "recordings", "show", "research_topic_0")
    assert "GET http://127.0.0.1" in " ".join(shown.stdout.split())
    verified = command(recorded, "recordings", "verify", "--max-age", "30")
    assert (verified.returncode, "5 recordings, 0 damaged" in verified.stdout) == (0, True)
    assert command(recorded, "recordings", "show", "nothing").returncode == 5


def test_recordings_are_exported_imported_and_pruned(recorded: Path, tmp_path: Path) -> None:
    assert command(recorded, "recordings", "export", str(tmp_path)).returncode == 0
    file = tmp_path / "research_topic" / "research_topic_0.har"
    imported = command(
        recorded, "recordings", "import", str(file), "--case", "research_topic_0",
        "--agent", "research_topic",
    )  # fmt: skip
    assert "imported 2 exchanges" in imported.stdout
    assert command(recorded, "recordings", "prune").stdout.startswith("removed 0 recordings")


@pytest.mark.long
@pytest.mark.sampled(1)
@pytest.mark.parametrize("twice", [(), ("--twice",)])
def test_agents_are_checked_offline(foreign: Foreign, twice: tuple[str, ...]) -> None:
    foreign.edit("meeting_helper.py", "(1, 2):", "range(1, 2 + int.from_bytes(os.urandom(1))):")
    foreign.edit("meeting_helper.py", "import httpx", "import os\n\nimport httpx")
    checked = command(foreign.root, "check", *twice, "--format", "json")
    rows = {row["agent"]: row for row in json.loads(checked.stdout)}
    assert rows["verse_explainer"]["answer"] == "2 findings, 0 warnings"
    assert rows["verse_explainer"]["interpreter"].startswith("CPython 3.")
    assert rows["verse_explainer"]["differs"] == ""
    assert rows["meeting_helper"]["differs"] == ("findings" if twice else "")
    assert checked.returncode == (1 if twice else 0)


@pytest.mark.long
def test_a_case_that_cannot_be_recorded_is_said(foreign: Foreign) -> None:
    recorded = command(foreign.root, "record", "--agent", "meeting_helper")
    assert recorded.returncode == 3
    assert "meeting_helper_0: not recorded: agent_crash" in recorded.stderr
    assert "recorded 0 of 1 case" in recorded.stdout

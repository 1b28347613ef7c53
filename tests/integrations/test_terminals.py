"""The newer commands where terminals are old: code pages that lack signs, and narrow windows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jw_eval_store.integrations.demo.history import play
from jw_eval_store.reports.checkup import checkup_text
from jw_eval_store.reports.interface import Page


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminals") / "demo"
    play(folder)
    return folder


@pytest.mark.parametrize(
    ("encoding", "command"),
    [
        ("cp437", ("trend",)),
        ("cp1252", ("trend",)),
        ("cp1252", ("diff", "reports/repaired.json", "reports/drift.json")),
        ("cp437", ("doctor",)),
    ],
)
def test_a_code_page_that_lacks_signs_breaks_nothing(
    history: Path, encoding: str, command: tuple[str, ...]
) -> None:
    env = os.environ | {"PYTHONIOENCODING": encoding, "JW_EVAL_LLM": "none"}
    done = subprocess.run(
        [sys.executable, "-m", "jw_eval_cli", *command],
        cwd=history, env=env, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode(encoding)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("width", [40, 60, 100])
def test_a_check_up_fits_a_narrow_window(width: int) -> None:
    rows = [
        ("agent apologetics", "broken", "it cannot be started: no module named toolkit", "look"),
        ("sqlite", "ok", "3.40.1", ""),
    ]
    text = checkup_text(rows, Page(width))
    assert max(len(line) for line in text.splitlines()) <= width
    assert "1 part broken" in text

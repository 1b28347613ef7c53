"""The command line in an empty folder, with no judge and the embedded embedder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jw_eval_cli.main import cli

Invoke = Callable[..., Result]


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Call `jw-eval ARGUMENTS...`; `input` and `env` may be given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JW_EVAL_LLM", "none")
    monkeypatch.setenv("JW_EVAL_DB", str(tmp_path / "results.db"))
    return lambda *arguments, **options: CliRunner().invoke(cli, [*arguments], **options)

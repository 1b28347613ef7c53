"""A small store made by the benchmark's generator, and copies of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.warehouse.generate import make_store
from jw_eval_store.config.database import Located


@pytest.fixture(scope="session")
def made_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("warehouse") / "made.db"
    make_store(path, cases=220, runs=30)
    return path


@pytest.fixture
def store(made_store: Path, tmp_path: Path) -> Located:
    """A copy that may be written to."""
    return Located(Path(shutil.copy(made_store, tmp_path / "results.db")), tmp_path)

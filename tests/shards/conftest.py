"""A project with cases, and copies of it that play several machines."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.runs.conftest import Project, project

__all__ = ["project"]

CASES = 12


@pytest.fixture(autouse=True)
def _cases(project: Project) -> None:
    for number in range(CASES):
        project.case(f"case_{number:02}")


def machine(project: Project, root: Path, *, keep_store: bool = False) -> Project:
    """A checkout of the project on another machine."""
    ignored = () if keep_store else (".jw-eval",)
    shutil.copytree(project.root, root, ignore=shutil.ignore_patterns(*ignored))
    return Project(root)

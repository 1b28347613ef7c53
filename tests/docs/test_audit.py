"""The audit names files and tests that exist."""

from __future__ import annotations

import re

import pytest

from tests.docs.examples import ROOT

AUDIT = (ROOT / "docs" / "VISION_AUDIT.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in AUDIT.splitlines() if line.startswith("| ") and "](" in line]
NAMED = re.findall(r"\]\(\.\./(tests/[^)]+)\)::(\w+)", AUDIT)


def test_every_requirement_has_a_file_and_a_test() -> None:
    assert len(ROWS) > 60
    assert len(NAMED) == len(ROWS)
    assert all(len(row) == 3 for row in ROWS)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([^)]+)\)", AUDIT))))
def test_a_file_that_it_names_is_there(path: str) -> None:
    assert (ROOT / "docs" / path).is_file()


@pytest.mark.parametrize(("path", "name"), NAMED, ids=[name for _, name in NAMED])
def test_a_test_that_it_names_is_there(path: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")

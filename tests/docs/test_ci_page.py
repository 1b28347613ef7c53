"""The workflows of "Set up CI" hold what a runner needs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import yaml

from tests.docs.examples import ROOT, blocks
from tests.docs.test_documents import DOCUMENTS

PAGE = (ROOT / "docs" / "howto" / "set-up-ci.md").read_text(encoding="utf-8")
SHOWN: list[Any] = [yaml.safe_load(b.body) for b in blocks(PAGE) if b.language == "yaml"]
JOBS = [job for one in SHOWN if "jobs" in one for job in one["jobs"].values()]
STEPS = [one for one in SHOWN if isinstance(one, list) and "uses" in one[0]]


def test_every_job_names_a_machine_and_installs_jw_eval_before_it_is_called() -> None:
    assert len(JOBS) == 2
    for job in JOBS:
        assert job["runs-on"]
        runs = [step["run"] for step in job["steps"] if "run" in step]
        assert runs[0].startswith("pip install")
        assert any(run.startswith("jw-eval ") for run in runs[1:])


def test_every_checkout_brings_the_history() -> None:
    steps = [step for listed in (*STEPS, *(job["steps"] for job in JOBS)) for step in listed]
    checkouts = [step for step in steps if step.get("uses", "").startswith("actions/checkout@")]
    assert len(checkouts) == 4
    assert all(step["with"]["fetch-depth"] == 0 for step in checkouts)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_heading_stands_apart_from_what_is_above_it(document: Any) -> None:
    lines = document.read_text(encoding="utf-8").splitlines()
    tight = [below for above, below in pairwise(lines)
             if below.startswith("## ") and above.strip()]  # fmt: skip
    assert tight == []

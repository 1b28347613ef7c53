"""The pre-commit hook, run as pre-commit runs it: with file names, without database or network."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
CASE = "id: good\nagent: a\ninput: {question: why}\nexpected: {min_findings: 1}\n"


def hooked(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(HOOK["entry"])
    assert program == "jw-eval"
    command = [sys.executable, "-m", "jw_eval_cli", *arguments, *files]
    env = os.environ | {"JW_EVAL_DB": str(folder / "nowhere" / "results.db")}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("path", "is_case"),
    [
        ("seeds/l1/apologetics_trinity_es.yaml", True),
        ("l3/a.yml", True),
        ("seeds/policy.yaml", False),
        ("html1/a.yaml", False),
        ("golden/l1/deeper/a.yaml", False),
    ],
)
def test_it_is_called_with_cases_only(path: str, is_case: bool) -> None:
    assert bool(re.search(HOOK["files"], path)) is is_case


def test_it_finds_what_is_wrong_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "l1").mkdir()
    (tmp_path / "l1" / "good.yaml").write_text(CASE)
    (tmp_path / "l1" / "bad.yaml").write_text(CASE.replace("min_findings", "min_finding"))
    assert hooked(tmp_path, "l1/good.yaml").returncode == 0
    bad = hooked(tmp_path, "l1/good.yaml", "l1/bad.yaml")
    assert bad.returncode == 2
    assert "did you mean `min_findings`" in bad.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["l1"]

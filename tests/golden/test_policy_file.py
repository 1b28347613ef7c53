"""policy.yaml: what it says, and errors that name file and line."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.golden.policy_file import read_policy

POLICY = """\
gate:
  l1: {min_pass: 1.0}
  l2:
    min_pass: 0.98
    blocking: yes
origins: [captured, authored]
coverage:
  apologetics:
    l1: 3
    languages: [es, no]
accepted:
  - case: l1_a
    reason: "agent is being mended"
    until: 2026-12-31
"""


def test_a_policy_is_read(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY, encoding="utf-8")
    policy = read_policy(path)
    assert policy.gate_of("l2").min_pass == 0.98
    assert policy.gate_of("l3").blocking is False
    assert policy.coverage["apologetics"].languages == ("es", "no")
    assert policy.accepted[0].until == date(2026, 12, 31)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("min_pass: 0.98", "min_pas: 0.98", 4, "did you mean `min_pass`"),
        ("min_pass: 0.98", "min_pass: 98", 4, "less than or equal to 1"),
        ("min_pass: 0.98", "min_pass: 98%", 4, "is not a number"),
        ("  l2:", "  l4:", 3, "'l1', 'l2' or 'l3'"),
        ("authored", "invented", 6, "'captured', 'imported' or 'authored'"),
        ("2026-12-31", "2026", 14, "'2026' is not a date"),
        ("accepted:", "accept:", 11, "did you mean `accepted`"),
        ("gate:", "min_pass: 1\ngate:", 1, "it belongs under `gate`"),
        ("gate:", "gate: {}\ngate:", 2, "stands twice"),
    ],
)
def test_a_mistake_names_file_line_and_next_step(
    tmp_path: Path, old: str, new: str, line: int, words: str
) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_policy(path)
    assert f"{path}:{line}: " in caught.value.message
    assert words in str(caught.value)


def test_a_policy_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"policy\.yaml: cannot be read"):
        read_policy(tmp_path / "policy.yaml")

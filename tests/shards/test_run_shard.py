"""`run --shard`: each part judges its cases, and says that it is a part."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from jw_eval_cli.main import cli
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.shards import Shard
from tests.runs.conftest import Project, by_id

from .conftest import CASES, machine


def test_shards_judge_every_case_once(project: Project) -> None:
    judged = [set(by_id(project.run(shard=Shard(n, 3)))) for n in (1, 2, 3)]
    assert sum(map(len, judged)) == CASES
    assert set().union(*judged) == {f"case_{n:02}" for n in range(CASES)}


def test_the_run_says_that_it_is_a_shard(project: Project) -> None:
    report = project.run(shard=Shard(2, 3))
    assert report.gate.exit_code == 0
    assert any(f"shard 2 of 3: {len(report.results)} of {CASES} cases" in n for n in report.notices)
    ((selection,),) = project.rows("SELECT selection FROM run")
    shard = json.loads(selection)["shard"]
    assert (shard["number"], shard["count"], shard["of"]) == (2, 3, CASES)


def test_a_shard_without_a_case_passes_and_says_so(project: Project) -> None:
    reports = [project.run(shard=Shard(n, CASES * 3)) for n in range(1, CASES * 3 + 1)]
    empty = [r for r in reports if not r.results]
    assert len(empty) >= CASES * 2
    assert {r.gate.exit_code for r in empty} == {0}
    assert "this shard holds no case" in empty[0].gate.reasons[0]
    assert f"0 of {CASES} cases" in empty[0].notices[0]


def test_an_empty_selection_is_an_error_in_every_shard(project: Project) -> None:
    with pytest.raises(EmptySelectionError, match="nobody"):
        project.run(agents=("nobody",), shard=Shard(1, 3))


def test_a_shard_is_no_point_of_a_trend(project: Project) -> None:
    project.run(shard=Shard(1, 2))
    assert project.rows("SELECT count(*) FROM v_trend") == [(0,)]
    whole = project.run()
    assert [point.run for point in whole.trend] == [whole.run]


def test_cases_of_other_shards_are_not_missed_in_the_baseline(project: Project) -> None:
    whole = project.run()
    report = project.run(shard=Shard(1, 2), baseline=whole.run)
    assert report.gate.exit_code == 0
    assert report.diff_vs_baseline is not None
    project.case("case_00", expected="min_findings: 9")
    found = [project.run(shard=Shard(n, 2), baseline=whole.run) for n in (1, 2)]
    assert sorted(r.gate.exit_code for r in found) == [0, 1]


def test_durations_balance_the_same_way_from_the_same_database(
    project: Project, tmp_path: Path
) -> None:
    project.run()
    one, two = (machine(project, tmp_path / name, keep_store=True) for name in ("a", "b"))
    first, second = set(by_id(one.run(shard=Shard(1, 2)))), set(by_id(two.run(shard=Shard(2, 2))))
    assert not first & second
    assert len(first | second) == CASES


def test_a_resumed_run_keeps_its_shard(project: Project) -> None:
    project.run(shard=Shard(1, 2))
    with pytest.raises(UsageError, match="keeps its shard"):
        project.run(resume="last", shard=Shard(1, 2))


def test_the_command_takes_a_shard(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.root)
    done = CliRunner().invoke(cli, ["run", "--shard", "1/2", "--report", "json"])
    assert done.exit_code == 0, done.output
    for arguments, said in (
        (["--shard", "3/2"], "is no shard"),
        (["--shard", "1/2", "--live"], ""),
    ):
        wrong = CliRunner().invoke(cli, ["run", *arguments])
        assert wrong.exit_code == 2
        assert said in wrong.output
    shutil.rmtree(project.root / ".jw-eval")

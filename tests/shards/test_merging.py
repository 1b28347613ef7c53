"""Shards on several machines become one run with one verdict; a missing one is no pass."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from jw_eval_cli.main import cli
from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.inference import InferenceProfile, InferenceThresholds
from jw_eval_store.domain.shards import Shard
from jw_eval_store.runs.merging import merge_and_gate, merge_files
from jw_eval_store.store.connect import reading, transaction, writing
from jw_eval_store.store.inference_profiles import inference_profiles, put_inference_profile
from tests.runs.conftest import AGENT, Project
from tests.warehouse.test_keeping import content

from .conftest import CASES, machine

COUNT = 3


@pytest.fixture
def shards(project: Project, tmp_path: Path) -> list[Path]:
    """Databases of machines that judged one shard each; case_05 fails."""
    project.case("case_05", expected="min_findings: 9")
    return [judged(project, tmp_path / str(number), number) for number in range(1, COUNT + 1)]


def judged(project: Project, root: Path, number: int, count: int = COUNT, **parts: Any) -> Path:
    sys.modules.pop("answers", None)
    one = machine(project, root, keep_store="baseline" in parts)
    one.run(shard=Shard(number, count), **parts)
    return one.root / ".jw-eval" / "results.db"


def test_the_merged_run_has_one_verdict(
    project: Project, shards: list[Path], tmp_path: Path
) -> None:
    report = merge_and_gate(tmp_path / "whole.db", shards, expect_shards=COUNT)
    assert (report.gate.verdict, report.gate.exit_code) == ("failed", 1)
    assert report.gate.reasons == project.run().gate.reasons
    assert len(report.results) == CASES
    assert not any(result.reused for result in report.results)
    assert not any(notice.startswith("shard") for notice in report.notices)
    assert report.summary["l1"]["total"] == CASES
    assert [point.run for point in report.trend] == [report.run]


def test_any_order_and_once_more_give_the_same(shards: list[Path], tmp_path: Path) -> None:
    found = []
    for number, order in enumerate(itertools.permutations(shards)):
        target = tmp_path / f"whole-{number}.db"
        first, again = merge_and_gate(target, order), merge_and_gate(target, order)
        assert first.model_dump() == again.model_dump()
        found.append((content(target), first.run))
    assert all(other == found[0] for other in found)


def test_a_missing_shard_is_named_and_nothing_is_merged(shards: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "whole.db"
    for gate in (merge_and_gate, merge_files):
        with pytest.raises(InfrastructureError, match="of 3 shards, 2 is missing"):
            gate(target, [shards[0], shards[2]], expect_shards=COUNT)
    with pytest.raises(InfrastructureError, match="2, 3 are missing"):
        merge_and_gate(target, shards[:1])
    with pytest.raises(UsageError, match="shards of 3, not of 5"):
        merge_and_gate(target, shards, expect_shards=5)
    assert not target.exists()


def test_files_of_two_runs_are_no_shards_of_one(
    project: Project, shards: list[Path], tmp_path: Path
) -> None:
    target = tmp_path / "whole.db"
    more = judged(project, tmp_path / "more", 3, count=4)
    with pytest.raises(UsageError, match="another number of shards"):
        merge_and_gate(target, [*shards[:2], more])
    project.case("case_99")
    with pytest.raises(UsageError, match="another split of the cases"):
        merge_and_gate(target, [*shards[:2], judged(project, tmp_path / "cases", 3)])
    (project.root / "policy.yaml").write_text("gate: {l1: {min_pass: 0.5}}\n")
    (project.root / "cases" / "l1" / "case_99.yaml").unlink()
    with pytest.raises(UsageError, match="another policy"):
        merge_and_gate(target, [*shards[:2], judged(project, tmp_path / "policy", 3)])
    with pytest.raises(UsageError, match="hold the same run"):
        merge_and_gate(target, [*shards, shards[0]])
    (project.root / "policy.yaml").write_text("new_cases: 3\n")
    twin = judged(project, tmp_path / "twin", 3)
    with pytest.raises(UsageError, match="both hold shard 3/3"):
        merge_and_gate(target, [*shards, twin])


def test_a_whole_run_and_an_unfinished_shard_are_refused(
    project: Project, shards: list[Path], tmp_path: Path
) -> None:
    project.run()
    with pytest.raises(UsageError, match="is no shard"):
        merge_and_gate(tmp_path / "whole.db", [project.root / ".jw-eval" / "results.db"])
    unfinished = Project(shards[1].parents[1])
    from jw_eval_store.store.connect import writing

    with writing(shards[1]) as conn:
        conn.execute("UPDATE run SET status = 'interrupted'")
    with pytest.raises(InfrastructureError, match=r"shard 2/3 .* is interrupted") as raised:
        merge_and_gate(tmp_path / "whole.db", shards)
    assert unfinished.rows("SELECT ulid FROM run")[0][0] in (raised.value.hint or "")


def test_empty_shards_are_merged_like_others(project: Project, tmp_path: Path) -> None:
    for number in range(2, CASES):
        (project.root / "cases" / "l1" / f"case_{number:02}.yaml").unlink()
    files = [judged(project, tmp_path / str(n), n, count=4) for n in range(1, 5)]
    report = merge_and_gate(tmp_path / "whole.db", files, expect_shards=4)
    assert (report.gate.exit_code, len(report.results)) == (0, 2)


def test_the_merged_run_serves_the_next_one(
    project: Project, shards: list[Path], tmp_path: Path
) -> None:
    (project.root / ".jw-eval").mkdir()
    report = merge_and_gate(project.root / ".jw-eval" / "results.db", shards)
    sys.modules.pop("answers", None)
    again = project.run(since="last", baseline=report.run)
    assert [r.case_id for r in again.results if not r.reused] == ["case_05"]
    assert again.diff_vs_baseline is not None
    assert again.diff_vs_baseline.differences == ()


def test_the_merged_gate_compares_with_a_baseline(
    project: Project, shards: list[Path], tmp_path: Path
) -> None:
    target = tmp_path / "whole.db"
    first = merge_and_gate(target, shards)
    project.case("case_01", expected="min_findings: 9")
    worse = [judged(project, tmp_path / f"worse-{n}", n) for n in range(1, COUNT + 1)]
    report = merge_and_gate(target, worse, baseline=first.run)
    assert any("case_01" in reason for reason in report.gate.reasons)
    with pytest.raises(UsageError, match="is no approved baseline"):
        merge_and_gate(target, worse, baseline="nothing")


@pytest.mark.long
def test_the_merged_gate_compares_with_what_its_shards_were_compared_with(
    project: Project, tmp_path: Path
) -> None:
    (project.root / "policy.yaml").write_text("gate: {l1: {min_pass: 0.5}}\n")
    well = project.run().run
    project.case("case_01", expected="min_findings: 9")
    other = project.run().run
    held = [judged(project, tmp_path / str(n), n, baseline=well) for n in range(1, COUNT + 1)]
    report = merge_and_gate(tmp_path / "whole.db", held)
    assert report.gate.verdict == "failed"
    assert any("case_01" in reason for reason in report.gate.reasons)
    assert merge_and_gate(tmp_path / "whole.db", held, baseline=other).gate.verdict == "passed"

    mixed = [*held[:2], judged(project, tmp_path / "mixed", 3, baseline=other)]
    with pytest.raises(UsageError, match=f"different baselines: .*{well}.*{other}") as raised:
        merge_and_gate(tmp_path / "mixed.db", mixed)
    assert "--baseline" in (raised.value.hint or "")
    assert not (tmp_path / "mixed.db").exists()
    assert merge_and_gate(tmp_path / "mixed.db", mixed, baseline=well).gate.verdict == "failed"


def test_newest_means_newest_whatever_order_files_were_merged_in(
    project: Project, tmp_path: Path
) -> None:
    """An older run that is merged later must not be taken for the newest: it passed, once."""
    old = machine(project, tmp_path / "old")
    old.run()
    project.agent(AGENT.replace("[finding]", "[]"))
    new = machine(project, tmp_path / "new")
    sys.modules.pop("answers", None)
    sys.path.insert(0, str(new.root / "agents"))
    new.run()
    files = [one.root / ".jw-eval" / "results.db" for one in (old, new)]
    for order in (files, files[::-1]):
        target = tmp_path / f"{order[0].parents[1].name}-first"
        (target / ".jw-eval").mkdir(parents=True)
        merge_files(target / ".jw-eval" / "results.db", order)
        merged = Project(target)
        runs = [ulid for (ulid,) in merged.rows("SELECT ulid FROM run ORDER BY id")]
        assert runs == sorted(runs)
        newest = merged.rows(
            "SELECT verdict, count(*) FROM evaluation WHERE id IN (SELECT max(id) FROM evaluation"
            " GROUP BY golden_case_id) GROUP BY 1"
        )
        assert newest == [("fail", CASES)]
        assert merged.rows("SELECT count(*) FROM v_result") == [(2 * CASES,)]
        assert merged.rows("PRAGMA foreign_key_check") == []


def test_the_command_exits_as_the_merged_gate_says(
    shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["db", "merge", *map(str, shards), "--db", "whole.db", "--expect-shards", "3"]
    done = CliRunner().invoke(cli, [*words, "--gate", "--report", "json:report.json"])
    assert done.exit_code == 1, done.output
    assert json.loads((tmp_path / "report.json").read_text())["gate"]["exit_code"] == 1
    missing = CliRunner().invoke(cli, [*words[:3], *words[-4:], "--gate"])
    assert missing.exit_code == 3
    assert "2, 3 are missing" in missing.output
    plain = CliRunner().invoke(cli, words)
    assert plain.exit_code == 0
    assert "0 new runs" in plain.output
    assert CliRunner().invoke(cli, [*words, "--baseline", "main"]).exit_code == 2


@pytest.mark.parametrize("turned", [False, True])
def test_thresholds_calibrated_once_more_stay_the_newest(tmp_path: Path, turned: bool) -> None:
    """A file that knows only their first calibration, merged in, brings older ones back if not."""
    old, new = (
        InferenceProfile(
            model="m",
            revision="r",
            aggregation="1",
            entries=(InferenceThresholds(kind="doctrine", language="es", pass_at=at),),
        )
        for at in (0.8, 0.9)
    )
    files = [tmp_path / "copy.db", tmp_path / "own.db"]
    for file, moments in zip(files, [[(old, 1)], [(old, 3), (new, 2)]], strict=True):
        with writing(file) as conn, transaction(conn):
            for profile, moment in moments:
                put_inference_profile(conn, profile)
                sql = "UPDATE inference_profile SET created_at = ? WHERE profile_hash = ?"
                conn.execute(sql, (f"2026-01-0{moment}T00:00:00.000Z", profile.profile_hash))
    merge_files(tmp_path / "whole.db", files[::-1] if turned else files)
    with reading(tmp_path / "whole.db") as conn:
        assert inference_profiles(conn) == (old, new)

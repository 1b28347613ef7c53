"""Merge, prune and vacuum: what is kept, and that nothing is lost by the way."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.warehouse.generate import make_store
from jw_eval_cli.main import main
from jw_eval_store.config.database import Located
from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.runs.approving import approve_run
from jw_eval_store.runs.diffing import diff_runs
from jw_eval_store.runs.history import TrendRequest, list_runs, trend
from jw_eval_store.runs.keeping import prune_results
from jw_eval_store.store import connect, upgrade
from jw_eval_store.store.check import check
from jw_eval_store.store.merging.merge import merge
from jw_eval_store.store.merging.tables import LOCAL, MERGED
from jw_eval_store.store.prune import vacuum
from jw_eval_store.store.runs import find_run, start_run
from jw_eval_store.store.schema import metadata

CONTENT = {
    "cases": "SELECT case_id, revision, last_verdict, last_run, content_hash, archived_at,"
    " created_at FROM v_case ORDER BY 1",
    "revisions": "SELECT g.case_id, r.number, r.source_hash, x.number FROM case_revision r"
    " JOIN golden_case g ON g.id = r.golden_case_id JOIN case_revision x ON x.id = r.equivalent_id"
    " ORDER BY 1, 2",
    "results": "SELECT run, case_id, verdict, score, reused, made_in, output FROM v_result"
    " ORDER BY 1, 2",
    "trend": "SELECT * FROM v_trend ORDER BY run, agent, layer, language",
    "steps": "SELECT run, case_id, seq, node FROM v_judge_step ORDER BY 1, 2, 3",
    "pages": "SELECT fetch_key, current, evidence_hash FROM v_evidence ORDER BY 1, 2, 3",
    "baselines": "SELECT ulid, name, revoked_at FROM baseline ORDER BY 1",
}


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that a file says, without its local keys."""
    with connect.reading(path) as conn:
        return {name: [tuple(r) for r in conn.execute(sql)] for name, sql in CONTENT.items()}


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("machines")
    paths = [folder / f"{number}.db" for number in range(3)]
    for number, path in enumerate(paths):
        make_store(path, cases=40, runs=4, machine=number)
    return paths


def test_files_merge_to_the_same_content_in_any_order_and_again(
    machines: list[Path], tmp_path: Path
) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    assert [file.runs for file in merge(one, machines)] == [4, 4, 4]
    merge(other, machines[::-1])
    assert content(one) == content(other)
    assert [(f.runs, f.evaluations) for f in merge(one, machines)] == [(0, 0)] * 3
    assert content(one) == content(other)
    found = content(one)
    assert len(found["results"]) == 3 * 4 * 40


def test_the_newest_run_of_a_merged_file_is_the_newest_by_time(
    machines: list[Path], tmp_path: Path
) -> None:
    merge(tmp_path / "one.db", machines[::-1])
    found = [run.run for run in list_runs(Located(tmp_path / "one.db", tmp_path), limit=100)]
    assert found == sorted(found, reverse=True)
    with connect.reading(tmp_path / "one.db") as conn:
        assert find_run(conn, "last").ulid == found[0]


def test_a_made_store_is_sound(made_store: Path) -> None:
    assert check(made_store) == []


def test_a_merged_file_is_whole(machines: list[Path], tmp_path: Path) -> None:
    merge(tmp_path / "one.db", machines)
    with closing(connect.connect(tmp_path / "one.db")) as conn:
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
        assert conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        numbers = conn.execute(
            "SELECT golden_case_id, count(*), min(number), max(number) FROM case_revision"
            " GROUP BY 1"
        ).fetchall()
    assert all((low, high) == (1, count) for _, count, low, high in numbers)


def test_a_file_that_contradicts_is_refused_and_changes_nothing(
    machines: list[Path], tmp_path: Path
) -> None:
    target, wrong = tmp_path / "one.db", Path(shutil.copy(machines[0], tmp_path / "wrong.db"))
    merge(target, machines[:1])
    before = content(target)
    with connect.writing(wrong) as conn:
        conn.execute("UPDATE evaluation SET verdict = 'error' WHERE id = 3")
        conn.execute("INSERT INTO prompt (prompt_hash, body) VALUES ('sha256:x', 'new')")
    with pytest.raises(UsageError, match=r"evaluation .*case_00003: verdict differs"):
        merge(target, [wrong])
    assert content(target) == before
    with connect.reading(target) as conn:
        assert conn.execute("SELECT count(*) FROM prompt").fetchone()[0] == 0


def test_a_file_of_another_schema_and_the_target_itself_are_refused(
    machines: list[Path], tmp_path: Path
) -> None:
    old = Path(shutil.copy(machines[0], tmp_path / "old.db"))
    upgrade.move(old, "0003")
    with pytest.raises(InfrastructureError, match="has schema 0003"):
        merge(tmp_path / "one.db", [old])
    with pytest.raises(UsageError, match="leave it out"):
        merge(tmp_path / "one.db", [tmp_path / "one.db"])


def test_every_table_is_either_merged_or_local() -> None:
    assert {table.name for table in MERGED} | set(LOCAL) == set(metadata.tables)


def test_pruning_says_what_goes_and_keeps_what_is_needed(store: Located) -> None:
    runs = [run.run for run in reversed(list_runs(store, limit=100))]
    approve_run(store, runs[4], "main", author="ana", reason="release", force=False)
    before = content(store.database)
    would = prune_results(store, newest=10, since=None, dry_run=True)
    assert content(store.database) == before
    assert len(would.runs) == 30 - 10 - 1
    done = prune_results(store, newest=10, since=None, dry_run=False)
    assert done == would
    after = content(store.database)
    for name in ("cases", "trend", "pages", "revisions", "baselines"):
        assert after[name] == before[name], name
    kept = {runs[4], *runs[-10:]}
    assert after["results"] == [row for row in before["results"] if row[0] in kept]
    assert check(store.database) == []
    assert len(trend(TrendRequest(), store)) == 30
    assert diff_runs(store, "main", "last").same > 0
    with pytest.raises(UsageError, match="were pruned on"):
        diff_runs(store, runs[0], "last")
    old, new = vacuum(store.database)
    assert new < old
    assert content(store.database) == after


def test_nothing_is_pruned_while_a_run_goes_on(store: Located) -> None:
    with connect.writing(store.database) as conn, connect.transaction(conn):
        start_run(conn, {}, bundled=False, git=None, tool_version="1", policy=None)
    with pytest.raises(UsageError, match="is going on"):
        prune_results(store, newest=10, since=None, dry_run=False)


def test_pruning_wants_to_be_told_what_to_keep(store: Located) -> None:
    with pytest.raises(UsageError, match="told what to keep"):
        prune_results(store, newest=None, since=None, dry_run=True)
    with pytest.raises(UsageError, match="is no date"):
        prune_results(store, newest=None, since="yesterday", dry_run=True)
    assert prune_results(store, newest=None, since="2020-01-01", dry_run=False).runs == ()


@pytest.mark.parametrize(
    "command",
    [
        ("db", "check", "--repair"),
        ("db", "prune", "--keep", "3", "--yes"),
        ("db", "vacuum"),
        ("baseline", "approve", "last", "--name", "main", "--reason", "x", "--author", "ana"),
        ("baseline", "revoke", "main", "--reason", "x", "--author", "ana"),
    ],
)
def test_a_store_that_is_not_there_is_neither_sound_nor_made(
    tmp_path: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--db", str(tmp_path / "typo.db")])
    assert ended.value.code == 3
    assert "typo.db does not exist" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

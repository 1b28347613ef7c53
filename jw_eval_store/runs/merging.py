"""Bring databases of several machines together, and give the shards of a run one verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jw_eval_store.domain.policies import Policy
from jw_eval_store.domain.reports import SuiteReport
from jw_eval_store.runs.baselines import baseline_results
from jw_eval_store.runs.comparing import compare
from jw_eval_store.runs.differing import describer
from jw_eval_store.runs.gate import judge_run
from jw_eval_store.runs.reporting import case_reports, suite_report
from jw_eval_store.runs.resuming import selection_of
from jw_eval_store.runs.sharding import is_shard_notice
from jw_eval_store.store.connect import Connection, transaction, writing
from jw_eval_store.store.merging.merge import MergedFile, merge
from jw_eval_store.store.merging.shards import (
    ShardRun,
    common_baseline,
    joined_run,
    shard_runs,
)
from jw_eval_store.store.policies import policy_of_run
from jw_eval_store.store.results import counts_of, is_unanswered
from jw_eval_store.store.runs import RunRow, end_run, run_by_key, write_rollup
from jw_eval_store.store.setups import CrossEncoder, cross_encoders_of


def merge_files(
    target: Path, sources: Sequence[Path], *, expect_shards: int | None = None
) -> list[MergedFile]:
    """Merge files into `target`; where shards are expected, only if all are there.

    Raises as `store.merging.merge` and `store.merging.shards.shard_runs` do.
    """
    if expect_shards is not None:
        shard_runs(sources, expect_shards)
    return merge(target, sources)


def merge_and_gate(
    target: Path,
    sources: Sequence[Path],
    *,
    expect_shards: int | None = None,
    baseline: str | None = None,
) -> SuiteReport:
    """Merge the shards of one run, and judge them as one: by their policy, errors counted once.

    They are compared with the baseline that they were run with, unless another is named. The run
    that they make is stored beside them and is what `last`, trends and baselines mean.
    """
    shards = shard_runs(sources, expect_shards)
    baseline = common_baseline(shards) if baseline is None else baseline
    merge(target, sources)
    with writing(target) as conn:
        with transaction(conn):
            run = joined_run(conn, shards)
            write_rollup(conn, run.key)
        return _gated(conn, run, shards, baseline)


def _gated(
    conn: Connection, run: RunRow, shards: Sequence[ShardRun], baseline: str | None
) -> SuiteReport:
    results = case_reports(conn, run)
    comparison = None
    if baseline is not None:
        before = baseline_results(conn, baseline)
        within = before.within(selection_of(run), {r.case_id for r in results})
        comparison = compare(before.label, within, f"run {run.ulid}", results, describer(conn))
    notices = _joined([one.run.notices for one in shards])
    notices["notices"] += _differing(cross_encoders_of(conn, run.key))
    gate = judge_run(
        counts_of(conn, run.key),
        policy_of_run(conn, run.key) or Policy(),
        invalid_files=len(notices["invalid_files"]),
        comparison=comparison,
        unanswered=is_unanswered(conn, run.key),
    )
    with transaction(conn):
        end_run(
            conn,
            run.key,
            status="finished",
            gate=gate.verdict,
            exit_code=gate.exit_code,
            notices=notices | {"gate": gate.model_dump(mode="json")},
            finished_at=run.finished_at,
        )
    return suite_report(conn, run_by_key(conn, run.key), gate, results, comparison=comparison)


def _joined(notices: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the shards said, each thing once; a refused file was seen by all of them."""
    said = _once(n for part in notices for n in part.get("notices", ()) if not is_shard_notice(n))
    agents: dict[str, str] = {}
    for part in notices:
        agents |= part.get("agents", {})
    return {
        "notices": said,
        "invalid_files": _once(f for part in notices for f in part.get("invalid_files", ())),
        "agents": dict(sorted(agents.items())),
        **{name: _any(notices, name) for name in ("embedder", "judge")},
    }


def _differing(found: Sequence[CrossEncoder]) -> list[str]:
    """One that a shard could not have, or another runtime: what differs more is not merged."""
    if len(found) < 2:
        return []
    labels = "; ".join(one.label for one in found)
    return [f"the cross-encoder of L3 was not the same for all shards, or not there: {labels}"]


def _once(items: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found


def _any(notices: Sequence[Mapping[str, Any]], name: str) -> Any:
    """What a shard without an L3 case has nothing to say of; different ones are all named."""
    found = _once(part[name] for part in notices if part.get(name))
    return ", ".join(found) or None

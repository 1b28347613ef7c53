"""The shards of one run, in several files: whether they are all there, and the run they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jw_eval_store.domain.errors import InfrastructureError, UsageError
from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.store.connect import Connection, reading
from jw_eval_store.store.runs import RunRow, find_run, newest_run, run_exists
from jw_eval_store.store.setups import NO_CROSS_ENCODER, CrossEncoder, cross_encoders_of


@dataclass(frozen=True)
class ShardRun:
    """The newest run of a file, a shard; `policy` is the address of what it was held to,
    `cross_encoders` what could veto its passes of L3.
    """

    path: Path
    run: RunRow
    policy: str | None
    cross_encoders: tuple[CrossEncoder, ...] = ()

    @property
    def shard(self) -> dict[str, Any]:
        """Its number, count, cases, and the split it belongs to."""
        return dict(self.run.selection["shard"])

    @property
    def whole(self) -> dict[str, Any]:
        """What the run was asked for; which part of it, and what to compare it with, apart."""
        apart = ("shard", "baseline")
        return {key: value for key, value in self.run.selection.items() if key not in apart}

    @property
    def baseline(self) -> str | None:
        """What it was compared with: a name, a run or a file."""
        return self.run.selection.get("baseline")


def shard_runs(paths: Sequence[Path], expected: int | None) -> list[ShardRun]:
    """The shards of these files, by number: of one run, finished, and all of them.

    Raises UsageError for files that hold no shards of one run, InfrastructureError where one is
    missing or unfinished.
    """
    found = sorted((_newest(path) for path in paths), key=lambda s: s.shard["number"])
    for one in found:
        _check_alike(found[0], one)
        if one.run.status != "finished":
            raise InfrastructureError(
                f"shard {_name(one)} is {one.run.status}",
                hint=f"jw-eval run --resume {one.run.ulid} --db {one.path}",
            )
    _check_numbers(found, expected or found[0].shard["count"])
    _check_cross_encoders(found)
    return found


def common_baseline(shards: Sequence[ShardRun]) -> str | None:
    """What all shards were compared with. Raises UsageError where they differ."""
    first = shards[0]
    for one in shards:
        if one.baseline != first.baseline:
            what = " and ".join(f"{_name(s)} with {s.baseline or 'none'}" for s in (first, one))
            raise UsageError(
                f"the shards were compared with different baselines: {what}",
                hint="nothing was merged; say which one counts: --baseline NAME|RUN|FILE",
            )
    return first.baseline


def _newest(path: Path) -> ShardRun:
    with reading(path) as conn:
        run = newest_run(conn)
        if run is None or "shard" not in run.selection:
            what = (
                f"the newest run in {path}, {run.ulid}, is no shard" if run else f"no run in {path}"
            )
            raise UsageError(what, hint="judge with: jw-eval run --shard 1/5")
        sql = "SELECT p.policy_hash FROM run n JOIN policy p ON p.id = n.policy_id WHERE n.id = ?"
        policy = conn.execute(sql, (run.key,)).fetchone()
        encoders = tuple(cross_encoders_of(conn, run.key))
    return ShardRun(path, run, policy[0] if policy else None, encoders)


def _check_alike(first: ShardRun, other: ShardRun) -> None:
    differing = {
        "selection": (first.whole, other.whole),
        "number of shards": (first.shard["count"], other.shard["count"]),
        "split of the cases (they must start from the same database and cases)": (
            first.shard["split"],
            other.shard["split"],
        ),
        "git revision": (first.run.git_revision, other.run.git_revision),
        "policy": (first.policy, other.policy),
        "bundled cases": (first.run.bundled, other.run.bundled),
    }
    for what, (one, two) in differing.items():
        if one != two:
            raise UsageError(
                f"{_name(first)} and {_name(other)} are not shards of one run: another {what}",
                hint="nothing was merged; judge the shards again, all from the same state",
            )


def _check_numbers(found: Sequence[ShardRun], expected: int) -> None:
    count = found[0].shard["count"]
    if count != expected:
        raise UsageError(f"these are shards of {count}, not of {expected}")
    by_number: dict[int, ShardRun] = {}
    for one in found:
        twin = by_number.setdefault(one.shard["number"], one)
        if twin.run.ulid != one.run.ulid:
            raise UsageError(
                f"{twin.path} and {one.path} both hold shard {_name(one)}",
                hint="leave one of them out",
            )
        if twin is not one:
            raise UsageError(
                f"{twin.path} and {one.path} hold the same run {one.run.ulid}",
                hint="one of the machines judged nothing of its own",
            )
    missing = [str(number) for number in range(1, count + 1) if number not in by_number]
    if missing:
        raise InfrastructureError(
            f"of {count} shards, {', '.join(missing)} is missing"
            if len(missing) == 1
            else f"of {count} shards, {', '.join(missing)} are missing",
            hint="nothing was merged; there is no verdict without them",
        )


def _check_cross_encoders(found: Sequence[ShardRun]) -> None:
    """A pass that the cross-encoder of one shard would have vetoed must not stand in another.

    One that could not be had left its cases undecided, so it differs only from none at all.
    """
    named = {used.rules: (one, used.label) for one in found for used in one.cross_encoders}
    if NO_CROSS_ENCODER.rules not in named:
        named.pop(None, None)
    if len(named) > 1:
        used = " and ".join(f"{_name(one)} with {label}" for one, label in named.values())
        raise UsageError(
            f"the cases of L3 were judged with different cross-encoders or thresholds: {used}",
            hint="nothing was merged; judge the shards again, all with the same `nli` of [judge]"
            " (or JW_EVAL_NLI) and the same calibration",
        )


def _name(one: ShardRun) -> str:
    return f"{one.shard['number']}/{one.shard['count']} ({one.path})"


def joined_run(conn: Connection, shards: Sequence[ShardRun]) -> RunRow:
    """The run that consists of its shards' results, made where it is not there; in a transaction.

    Its ULID follows from theirs: the same shards make the same run on every machine, once. Raises
    InfrastructureError where the results are not all there.
    """
    ulid = _ulid([one.run.ulid for one in shards])
    if not run_exists(conn, ulid):
        _insert(conn, ulid, shards)
    run = find_run(conn, ulid)
    conn.execute(
        "INSERT OR REPLACE INTO run_result (run_id, golden_case_id, evaluation_id)"
        " SELECT ?, l.golden_case_id, l.evaluation_id FROM run_result l"
        " JOIN run n ON n.id = l.run_id WHERE n.ulid IN (SELECT value FROM json_each(?))",
        (run.key, canonical_json([one.run.ulid for one in shards])),
    )
    counted = conn.execute("SELECT count(*) FROM run_result WHERE run_id = ?", (run.key,))
    (there,), wanted = counted.fetchone(), shards[0].shard["of"]
    if there != wanted:
        raise InfrastructureError(
            f"the shards hold {there} of the {wanted} selected cases",
            hint="judge the shards again, all from the same state",
        )
    return run


def _insert(conn: Connection, ulid: str, shards: Sequence[ShardRun]) -> None:
    first = shards[0]
    selection = first.whole | {"shards": [one.run.ulid for one in shards]}
    conn.execute(
        "INSERT INTO run (ulid, started_at, finished_at, status, bundled, selection, git_revision,"
        " git_dirty, tool_version, host, pid, policy_id, notices)"
        " SELECT ?, ?, ?, 'finished', bundled, ?, git_revision, ?, tool_version, host, pid,"
        " policy_id, '{}' FROM run WHERE ulid = ?",
        (
            ulid,
            min(one.run.started_at for one in shards),
            max(one.run.finished_at or "" for one in shards),
            canonical_json(selection),
            max(one.run.git_dirty or 0 for one in shards) if first.run.git_revision else None,
            first.run.ulid,
        ),
    )


def _ulid(shards: Sequence[str]) -> str:
    """Just after the newest shard, so that it sorts as the newest; the rest is their hash."""
    from ulid import ULID

    moment = max(ULID.from_str(ulid).milliseconds for ulid in shards) + 1
    digest = bytes.fromhex(content_hash(canonical_json(sorted(shards))).partition(":")[2])
    return str(ULID.from_bytes(moment.to_bytes(6, "big") + digest[:10]))

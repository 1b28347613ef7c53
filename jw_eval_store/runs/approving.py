"""Approve a run as a baseline, list approvals, and take them back."""

from __future__ import annotations

import re
from pathlib import Path

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.baselines import Approval
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.store import baselines
from jw_eval_store.store.connect import Connection, reading, transaction, writing
from jw_eval_store.store.runs import RunRow, find_run
from jw_eval_store.store.trends import run_counts
from jw_eval_store.text.nearest import did_you_mean

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,79}")


def approve_run(
    config: HasDatabase, run: str, name: str, *, author: str | None, reason: str, force: bool
) -> Approval:
    """Make a run the baseline of that name, in place of an earlier one.

    Raises UsageError for a run that did not finish or is empty, for one with errors, skips, refused
    files or of the bundled cases without `force` (which is recorded), and where author or reason
    are missing.
    """
    _check_words(name, author, reason)
    with writing(config.database, make=False) as conn:
        found = find_run(conn, run)
        doubts = _doubts(conn, found)
        if doubts and not force:
            raise UsageError(
                f"run {found.ulid} has {doubts}, so it is a doubtful baseline",
                hint="mend them and run again, or approve it with --force, which is recorded",
            )
        with transaction(conn):
            made = baselines.approve(
                conn, found, name, author=author or "", reason=reason, forced=bool(doubts)
            )
        return next(a for a in baselines.approvals(conn, name) if a.ulid == made)


def _check_words(name: str, author: str | None, reason: str) -> None:
    if not _NAME.fullmatch(name) or name == "last" or Path(name).suffix == ".json":
        raise UsageError(
            f"{name!r} can't be a baseline's name",
            hint="letters, digits, `.`, `_` and `-`, such as main; not `last`, no .json",
        )
    if not reason.strip():
        raise UsageError("a baseline needs a reason", hint='--reason "release 1.4"')
    _check_author(author)


def _check_author(author: str | None) -> None:
    if not (author or "").strip():
        raise UsageError(
            "it isn't known who approves or revokes", hint="--author NAME, or set git's user.name"
        )


def _doubts(conn: Connection, run: RunRow) -> str:
    """What keeps a finished run from being approved without force, in words; empty: nothing."""
    if run.status != "finished" or run.gate == "interrupted":
        raise UsageError(
            f"run {run.ulid} is {run.status}, so it can't be a baseline",
            hint=f"finish it: jw-eval run --resume {run.ulid}",
        )
    if pruned := run.notices.get("pruned"):
        raise UsageError(
            f"the results of run {run.ulid} were pruned on {str(pruned)[:10]}, so it can't be a"
            " baseline",
            hint="approve a later run: jw-eval runs list",
        )
    counts = run_counts(conn, [run.key]).get(run.key)
    if counts is None:
        raise UsageError(f"run {run.ulid} has no results, so it can't be a baseline")
    refused = len(run.notices.get("invalid_files", ()))
    found = ((counts.errors, "undecided"), (counts.skipped, "skipped"), (refused, "refused files"))
    doubts = [f"{count} {what}" for count, what in found if count]
    return ", ".join([*doubts, *(["only the bundled cases"] if run.bundled else [])])


def list_approvals(config: HasDatabase, *, everything: bool = False) -> list[Approval]:
    """The baselines in force by name; all approvals, the newest first, if everything is asked."""
    with reading(config.database) as conn:
        found = baselines.approvals(conn)
    return found if everything else sorted((a for a in found if a.in_force), key=lambda a: a.name)


def show_approval(config: HasDatabase, name: str) -> Approval:
    """The approval in force under a name. Raises UsageError where there is none."""
    with reading(config.database) as conn:
        return _in_force(conn, name)


def revoke_approval(config: HasDatabase, name: str, *, author: str | None, reason: str) -> Approval:
    """Take the approval in force back; an earlier one of that name holds again, if there is one."""
    _check_author(author)
    if not reason.strip():
        raise UsageError("revoking needs a reason", hint='--reason "wrong run"')
    with writing(config.database, make=False) as conn:
        found = _in_force(conn, name)
        with transaction(conn):
            baselines.revoke(conn, found.ulid, author=author or "", reason=reason)
        return next(a for a in baselines.approvals(conn, name) if a.ulid == found.ulid)


def _in_force(conn: Connection, name: str) -> Approval:
    found = next((a for a in baselines.approvals(conn, name) if a.in_force), None)
    if found is None:
        known = baselines.baseline_names(conn)
        raise UsageError(
            f"there is no baseline {name!r} in force",
            hint=did_you_mean(name, known) or "jw-eval baseline approve RUN --name NAME",
        )
    return found

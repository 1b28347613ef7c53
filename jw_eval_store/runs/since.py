"""`--since`: from which earlier runs verdicts may be reused."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.runs import git
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.runs import find_run, runs_at_revisions, runs_since


def reusable_runs(conn: Connection, since: str, folder: Path) -> list[int] | None:
    """Keys of the runs that `since` allows; none: every earlier run (`last`).

    A run (ULID or the beginning of one) allows itself and later ones; a date or a time (ISO 8601,
    UTC) those started from then on; a git revision those recorded at it or its ancestors with a
    clean working folder. Raises UsageError for anything else.
    """
    if since == "last":
        return None
    moment = _moment(since)
    if moment:
        return runs_since(conn, moment)
    commit = git.resolve(folder, since)
    if commit:
        return runs_at_revisions(conn, git.ancestors(folder, commit))
    try:
        return runs_since(conn, find_run(conn, since).started_at)
    except UsageError as error:
        raise UsageError(
            f"--since {since!r} is no run, no date (2026-05-30) and no git revision",
            hint="--since last, or a run of `jw-eval runs list`",
        ) from error


def _moment(since: str) -> str | None:
    try:
        if len(since) == len("2026-05-30"):
            return date.fromisoformat(since).isoformat()
        parsed = datetime.fromisoformat(since)
    except ValueError:
        return None
    from datetime import UTC

    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC).isoformat()

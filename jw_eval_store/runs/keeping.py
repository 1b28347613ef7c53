"""Which results are kept, as people say it."""

from __future__ import annotations

from datetime import date

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.store.prune import Keep, Pruned, prune


def prune_results(
    config: HasDatabase, *, newest: int | None, since: str | None, dry_run: bool
) -> Pruned:
    """Remove the results of older runs. Raises UsageError where nothing says what is kept."""
    if newest is None and since is None:
        raise UsageError(
            "pruning needs to be told what to keep", hint="--keep 200, or --keep-since 2026-01-01"
        )
    try:
        moment = date.fromisoformat(since).isoformat() if since else None
    except ValueError as error:
        raise UsageError(f"--keep-since {since!r} is no date", hint="such as 2026-05-30") from error
    return prune(config.database, Keep(newest, moment), dry_run=dry_run)
